import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'
import { dayText } from '#rules/duration-text'
import { isOneServer } from '#scripts/testing/db/database'
import { sealKey, signSeals } from './seal-chain.ts'
import { sealDay } from './seal-steps.ts'
import { useOldDays } from './testing/use-old-days.ts'

const { fresh, problems, broken, aRow } = useOldDays({ sealed: true })

/** Gives the seal of a day the leaves that its rows have now; the chain of seals stays as it was. */
async function forgeLeaves(db: Db, at: Date): Promise<void> {
  const day = Math.floor(at.getTime() / DAY_MS) * DAY_MS
  await inTransaction(db, (tx) => sealDay(tx, day, 'day'))
  const [forged] = await db('ledger_seals').orderBy('number', 'desc').limit(1)
  const { number, salt, leavesId } = forged
  await db('ledger_seals').where({ number }).delete()
  await db('ledger_seals')
    .where({ day: dayText(day) })
    .update({ salt, leavesId })
}

type Change = [string, (db: Db) => Promise<unknown>]

/** Citus refuses the statement. */
const CHANGED_TIME: Change = [
  'a changed time',
  async (db) =>
    db('wallet_activity')
      .where({ seq: (await aRow()).seq })
      .update({ createdAt: db.raw(`"createdAt" + interval '1 microsecond'`) }),
]

it.each<Change>([
  ...(isOneServer() ? [CHANGED_TIME] : []),
  [
    'a changed amount',
    async (db) =>
      db('wallet_activity')
        .where({ seq: (await aRow()).seq })
        .increment('amount', 1),
  ],
  [
    'a removed row',
    async (db) =>
      db('wallet_activity')
        .where({ seq: (await aRow()).seq })
        .delete(),
  ],
  [
    'all rows of a member removed',
    async (db) => db('wallet_activity').where({ userId: fresh.members[4] }).delete(),
  ],
  [
    'a row that is added and is no automatic credit',
    async (db) => {
      const { seq: _, ...row } = await aRow()
      await db('wallet_activity').insert({ ...row, id: 'correction:999' })
    },
  ],
  [
    'a credit that is added with an earlier place in the order of posting',
    async (db) => db('wallet_activity').insert({ ...(await aRow()), id: 'credit:999:1' }),
  ],
  [
    'changed leaves',
    async (db) =>
      db.raw(`update ledger_leaves set leaves = set_byte(leaves, 3, get_byte(leaves, 3) # 1)`),
  ],
  [
    'a changed amount for which the leaves were computed again',
    async (db) => {
      const { seq, createdAt } = await aRow()
      await db('wallet_activity').where({ seq }).increment('amount', 1)
      await forgeLeaves(db, createdAt)
    },
  ],
])('the audit of sealed days reports %s', async (_, tamper) => {
  expect(await problems()).toEqual([])
  await tamper(fresh.db)
  expect((await problems()).length).toBeGreaterThan(0)
})

it.each<[string, (db: Db) => Promise<unknown>]>([
  [
    'a seal that is taken out of the chain',
    (db) => db('ledger_seals').where({ number: 3 }).delete(),
  ],
  ['a changed seal', (db) => db('ledger_seals').where({ number: 3 }).increment('rows', 1)],
  [
    'a seal that is signed by another key than it names',
    async (db) => {
      await signSeals(db, sealKey(randomBytes(32)))
      await db('ledger_seals')
        .where({ number: 3 })
        .update({ publicKey: randomBytes(32) })
    },
  ],
  [
    'a seal whose signature is taken away',
    async (db) => {
      await signSeals(db, sealKey(randomBytes(32)))
      await db('ledger_seals').where({ number: 3 }).update({ signature: null, publicKey: null })
    },
  ],
])('the audit reports %s', async (_, tamper) => {
  expect(await broken()).toEqual([])
  await tamper(fresh.db)
  expect((await broken()).length).toBeGreaterThan(0)
})
