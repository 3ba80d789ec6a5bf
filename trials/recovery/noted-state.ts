import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'

const STATEMENTS = {
  wallets: `select w."userId"::text as key, row_to_json(w)::text as value from wallets w`,
  ledger: `select "tokenType" as key, count(*) || ' rows, ' || sum(amount) as value
    from wallet_activity group by 1`,
  claims: `select key, answer::text as value from idempotency_keys
    where route = 'POST /api/mining/claim' and answer is not null`,
}
const PARTS = Object.keys(STATEMENTS) as (keyof typeof STATEMENTS)[]

type BalanceState = Record<keyof typeof STATEMENTS, Map<string, string>>

export async function readState(db: Db): Promise<BalanceState> {
  const state = {} as BalanceState
  for (const part of PARTS) {
    const { rows } = await db.raw(STATEMENTS[part])
    state[part] = new Map(rows.map(({ key, value }: Record<string, string>) => [key, value]))
  }
  return state
}

/** The lock waits for every writer of a wallet and keeps the next ones out until the clock has passed `at`. */
export async function noteState(db: Db): Promise<BalanceState & { at: string }> {
  return db.transaction(async (tx) => {
    await tx.raw('lock table wallets in share mode')
    const state = await readState(tx)
    const { rows } = await tx.raw('select clock_timestamp()::text as at')
    await sleep(100)
    return { ...state, at: rows[0].at }
  })
}

export function differences(noted: BalanceState, restored: BalanceState): string[] {
  return PARTS.flatMap((part) => {
    const [before, after] = [noted[part], restored[part]]
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((key) => before.get(key) !== after.get(key))
      .map((key) => `${part} ${key}: noted ${before.get(key)}, restored ${after.get(key)}`)
  })
}
