import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { rollUpLedger, rollUpStep } from '#db/ledger/retention/rollup-steps'
import { databaseAt, withClient } from '#db/postgres/connection/admin'
import { connect } from '#db/postgres/connection/connect'
import { mergeStep } from '#db/postgres/months/merge-days'
import { migrate } from '#db/postgres/schema/migrate'
import { ensurePartitions } from '#db/postgres/schema/partitions'
import type { Db } from '#db/postgres/statements/transaction'
import { advance } from '#db/testing/clock'
import { testServerUrl } from '#db/testing/database'
import { databaseBefore } from '#db/testing/releases/earlier-database'
import {
  addEarlierMembers,
  creditAtEarlierRelease,
  postAtEarlierRelease,
} from '#db/testing/releases/earlier-release'
import { type Original, useCopies } from '#db/testing/seeded-database'
import { cutAfterStatements } from '#db/testing/statements/cut-after-statements'
import { DAY_MS } from '#rules/constants'
import { up } from './031-member-buckets.ts'

const MEMBERS = 800
const TABLES = ['wallets', 'mining_stats', 'mining_sessions', 'wallet_activity', 'completed_tasks']

/** A database of the release before, whose first credits are in the default partition. */
async function earlierDatabase(): Promise<Original<object>> {
  const name = `tesp_earlier_${process.pid}_${Date.now()}`
  const url = await databaseBefore(testServerUrl(), name, '031-member-buckets')
  const db = connect(url, { max: 2 })
  // The partition of these credits was never made.
  await addEarlierMembers(db, MEMBERS / 2, '60 hours')
  await addEarlierMembers(db, MEMBERS / 2, '10 hours')
  await creditAtEarlierRelease(db)
  await ensurePartitions(db)
  for (let n = 0; n < 3; n++) await creditAtEarlierRelease(db)
  await postAtEarlierRelease(db, 'task:1:join_telegram')
  await db.destroy()
  const drop = () =>
    withClient(databaseAt(url, 'postgres'), async (client) => {
      await client.query(`drop database ${name} with (force)`)
    })
  return { url, seeded: {}, drop }
}

const fresh = useCopies(earlierDatabase)

/** The earlier release in use, until its statements fail because the keys are others. */
async function useEarlierRelease(): Promise<{ changes: number; end: string }> {
  for (let changes = 0; ; changes += 1) {
    try {
      await addEarlierMembers(fresh.db, 3)
      await creditAtEarlierRelease(fresh.db)
      await postAtEarlierRelease(fresh.db, `task:1:number-${changes}`)
    } catch (error) {
      return { changes, end: String(error) }
    }
  }
}

async function expectBuckets(): Promise<void> {
  for (const table of TABLES) {
    const wrong = await fresh.db(table).whereRaw('bucket is distinct from "userId" % 1024').first()
    expect([table, wrong]).toEqual([table, undefined])
  }
  const { rows } = await fresh.db.raw(
    `select indexrelid::regclass::text as name from pg_index where not indisvalid
     union all select tgname from pg_trigger where tgname = 'fill_bucket'`,
  )
  expect(rows).toEqual([])
  expect((await audit(fresh.db)).problems).toEqual([])
}

it('a filled database gets its buckets while the earlier release is in use', async () => {
  const using = useEarlierRelease()
  await migrate(fresh.url)
  const { changes, end } = await using
  expect(changes).toBeGreaterThan(0)
  expect(end).toMatch(/bucket|conflict/)
  // It did not fail before: the trigger fills what it does not know.
  expect(end).not.toMatch(/violates check/)
  await expectBuckets()
})

it('all ranges of buckets start at the earliest position of the sweeps before', async () => {
  const swept = new Date('2026-01-02T03:04:05Z')
  await fresh.db('credit_sweeps').update({ sweptTo: new Date('2026-02-01T00:00:00Z') })
  await fresh.db('credit_sweeps').where({ bucket: 3 }).update({ sweptTo: swept })
  await migrate(fresh.url)
  const rows = await fresh.db('credit_sweeps').orderBy('firstBucket')
  expect(rows).toHaveLength(8)
  expect(rows.map(({ sweptTo }) => sweptTo)).toEqual(rows.map(() => swept))
})

it('a migration that dies after any statement continues', async () => {
  const kills = await cutAfterStatements(fresh.url, {
    work: (own) => up(own, () => {}),
    check: async () => {},
    connections: 2,
  })
  expect(kills).toBeGreaterThan(5)
  await migrate(fresh.url)
  await expectBuckets()
})

it('a migration that waits for a table does not block the members who need it', async () => {
  const touch = (tx: Db, which: string) =>
    tx.raw(`update wallets set name = 'x' where "userId" = (select ${which}(id) from users)`)
  const tx = await fresh.db.transaction()
  await touch(tx, 'min')
  let isOver = false
  const migrated = migrate(fresh.url).then(() => {
    isOver = true
  })
  // It has to wait for the transaction above. Others go on between its tries.
  for (let n = 0; n < 30; n++) {
    await touch(fresh.db, 'max')
    await sleep(50)
  }
  expect(isOver).toBe(false)
  await tx.commit()
  await migrated
  await expectBuckets()
})

it('rewrites of partitions that were begun before are begun again', async () => {
  await fresh
    .db('credit_sweeps')
    .update({ sweptTo: fresh.db.raw(`product_now() + interval '90 days'`) })
  await advance(fresh.db, 60 * DAY_MS)
  // The step of today asks for seals, which the earlier schema does not have.
  await fresh.db.raw('create table ledger_seals (day date)')
  expect(await rollUpStep(fresh.db, 7)).toBe('begun')
  await fresh.db.raw('drop table ledger_seals')
  await migrate(fresh.url)
  expect(await rollUpLedger(fresh.db, 7)).toBeGreaterThan(0)
  await expectBuckets()
  expect(await mergeStep(fresh.db)).toBe('created')
})
