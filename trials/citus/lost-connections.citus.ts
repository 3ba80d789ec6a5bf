import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { executeOnce } from '#db/members/execute-once'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { withClient } from '#db/postgres/connection/pool'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { isUnavailable } from '#gateway/http/errors'
import { RuleError } from '#rules/rule-error'
import { databaseAt } from '#scripts/embedded/create-database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'

const MEMBERS = 8
const TIME_MS = 5_000
/** Statements take some milliseconds, so connections end at any of them. */
const PAUSE_MS = 60
const COMMANDS = [startMining, stopMining, claimRewards]

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
  // Sessions have something to credit and to claim after a second.
  await setClockSpeed(fresh.db, 1_200)
})
afterAll(() => fresh.close())

/** Ends about half of the connections of this database to the nodes. */
async function endConnections(): Promise<void> {
  const database = new URL(fresh.url).pathname.slice(1)
  for (const node of inject('testServers').otherNodes ?? []) {
    await withClient(databaseAt(node, 'postgres'), (client) =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = $1 and backend_type = 'client backend' and random() < 0.5`,
        [database],
      ),
    )
  }
}

/** Sends a command as a client does: again under its key until it is answered. Returns the errors. */
async function send(memberId: number, key: string, command: (tx: Tx, id: number) => unknown) {
  const errors: Error[] = []
  const request = { signIn: { memberId, epoch: 0 }, route: 'POST /', key }
  for (;;) {
    try {
      const execute = (tx: Tx) => Promise.resolve(command(tx, memberId))
      await inTransaction(fresh.db, (tx) => executeOnce(tx, request, () => execute(tx)))
      return errors
    } catch (error) {
      if (error instanceof RuleError) return errors
      errors.push(error as Error)
    }
  }
}

it('commands whose connection to a node ends fail as unavailable and are paid once when repeated', async () => {
  const members = await insertMembers(fresh.db, MEMBERS)
  const end = Date.now() + TIME_MS
  const play = async (memberId: number) => {
    const errors: Error[] = []
    for (let n = 0; Date.now() < end; n++) {
      for (const command of COMMANDS) {
        errors.push(...(await send(memberId, `${command.name}-${n}`, command)))
      }
    }
    return errors
  }
  const cut = async () => {
    for (; Date.now() < end; await sleep(PAUSE_MS)) await endConnections()
    return []
  }
  const errors = (await Promise.all([cut(), ...members.map(play)])).flat()
  expect(errors).not.toEqual([])
  expect(errors.filter((error) => !isUnavailable(error))).toEqual([])
  expect((await audit(fresh.db)).problems).toEqual([])
})
