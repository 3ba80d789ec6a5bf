import { listQuarantined, releaseSession } from '#db/mining/quarantine'
import { productNow } from '#db/postgres/product-clock'
import { inTransaction } from '#db/postgres/transaction'
import { RuleError } from '#rules/rule-error'
import { needed, type OpsCall } from '#scripts/ops/call'

/** Prints the sessions that sweeps skip, with the reason that Postgres gave. */
export async function quarantineList({ db }: OpsCall): Promise<void> {
  console.table(await listQuarantined(db))
}

/** Ends the quarantine of a repaired session, which is credited what it missed. */
export async function quarantineRelease({ db, args: [id] }: OpsCall): Promise<void> {
  const sessionId = Number(needed(id, 'The session'))
  if (!Number.isSafeInteger(sessionId)) {
    throw new RuleError('bad_input', 'The session must be a number')
  }
  await inTransaction(db, async (tx) => releaseSession(tx, sessionId, await productNow(tx)))
  console.log(`session ${sessionId} is released and credited up to now`)
}
