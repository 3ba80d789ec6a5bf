import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { connect } from '#db/engine/connect'
import { audit } from '#db/ledger/audit'
import { mergeStep } from '#db/ledger/partition-merges/merge-partitions'
import { rollUpLedger, rollUpStep } from '#db/ledger/retention/rollup-steps'
import { migrate } from '#db/migrations/migrate'
import { startMining } from '#db/mining/mining'
import { databaseAt, withClient } from '#db/postgres/connection/create-database'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { DAY_MS } from '#rules/constants'
import { ledgerDetail, seedOldDays } from '#scripts/testing/db/history'
import { insertMember } from '#scripts/testing/db/members'
import { joinNodes } from './citus-cluster.ts'

const DETAIL_DAYS = 7
const TABLES = ['wallet_activity', 'wallets', 'mining_sessions', 'ledger_facts', 'completed_tasks']
const name = `tesp_filled_${randomBytes(5).toString('hex')}`
const { databaseUrl, otherNodes = [] } = inject('testServers')
const nodes = [databaseUrl, ...otherNodes].map((url) => databaseAt(url, 'postgres'))
const url = databaseAt(databaseUrl, name)

let db: Db
let members: number[]
const onNodes = async (sql: string) => {
  for (const node of nodes) await withClient(node, (client) => client.query(sql))
}
beforeAll(async () => {
  await onNodes(`create database ${name}`)
  await migrate(url)
  db = connect(url)
  ;({ members } = await seedOldDays(db, 60 * DAY_MS))
})
afterAll(async () => {
  await db.destroy()
  await onNodes(`drop database if exists ${name} with (force)`)
})

const rowsOf = async () =>
  Object.fromEntries(
    await Promise.all(TABLES.map(async (table) => [table, (await db(table).count())[0]?.count])),
  )
const localBytes = async () => {
  const { rows } = await db.raw(
    `select coalesce(sum(pg_relation_size(logicalrelid)), 0)::integer as bytes
     from pg_dist_partition where partmethod = 'h'`,
  )
  return rows[0].bytes
}

it('a filled database is distributed by the next migration once nodes have joined', async () => {
  // A day that is rolled up has a trigger, and so has one whose roll-up has begun.
  for (let swapped = false; !swapped; ) swapped = (await rollUpStep(db, DETAIL_DAYS)) === 'swapped'
  // Then a merge that has triggers too, and the roll-up of a day that is not part of it.
  while ((await mergeStep(db)) !== 'copied');
  while ((await rollUpStep(db, DETAIL_DAYS)) !== 'rolled');
  const before = { rows: await rowsOf(), detail: await ledgerDetail(db, members) }
  await db.destroy()
  await joinNodes(nodes[0] ?? '', nodes.slice(1), name)
  await migrate(url)
  db = connect(url)
  expect(await rowsOf()).toEqual(before.rows)
  expect(await ledgerDetail(db, members)).toEqual(before.detail)
  expect(await localBytes()).toBe(0)
  expect((await audit(db)).problems).toEqual([])
})

it('a distributed database that was filled before goes on: commands, roll-up, merge, audit', async () => {
  await migrate(url)
  const member = await insertMember(db)
  await inTransaction(db, (tx) => startMining(tx, member))
  expect(await db('ledger_merges')).toEqual([])
  const detail = await ledgerDetail(db, members)
  expect(await rollUpLedger(db, DETAIL_DAYS)).toBeGreaterThan(0)
  await expect.poll(() => mergeStep(db), { timeout: 60_000, interval: 0 }).toBe('merged')
  expect(await ledgerDetail(db, members)).toEqual(detail)
  expect((await audit(db)).problems).toEqual([])
})

it('the log of operators is append-only after the tables were distributed', async () => {
  await db('operator_actions').insert({ operator: 'ops', action: 'test', reason: 'of a test' })
  const change = () => db('operator_actions').update({ reason: 'another' })
  await expect(change()).rejects.toThrow('operator_actions is append-only')
})
