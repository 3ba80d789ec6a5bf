import { audit } from '#db/ledger/audit'
import { rollupStatus } from '#db/ledger/retention/rollup-status'
import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import { connect } from '#db/postgres/connection/connect'
import { migrate } from '#db/postgres/schema/migrate'
import { INTERVALS } from '#rules/constants'
import { miningDays } from '#trials/bench/data/mining-days'
import { CitusCluster } from '#trials/citus/citus-cluster'
import type { Trial } from '#trials/kit/run-trial'
import { mergeFilled } from './merge-filled.ts'

export type FilledOptions = { members: number; days: number; shards: number }

const DETAIL_DAYS = 7
const MEMORY = ['shared_buffers=256MB', 'max_wal_size=4GB']

/**
 * A database that was filled on plain Postgres is distributed over two nodes that join later; then the
 * credits of its old days are rolled up and the days are merged there.
 */
export async function distributeFilled(
  trial: Trial,
  { members, days, shards }: FilledOptions,
): Promise<void> {
  const { report, folder, defer } = trial
  const cluster = await CitusCluster.start(folder, { shards, settings: MEMORY })
  defer(() => cluster.stop())
  const url = await cluster.createPlainDatabase('tesp')
  await migrate(url)
  const plain = connect(url, { statementTimeoutMs: 0 })
  await report.step('filled on plain Postgres', () => miningDays(plain, members, days))
  await plain.destroy()
  await cluster.joinDatabase('tesp')
  const start = performance.now()
  await report.step('distributed by npm run migrate', () => migrate(url))
  const rows = members * INTERVALS * days
  const rate = (since: number) => Math.round(rows / ((performance.now() - since) / 1_000))
  report.fact('ledger rows, rows distributed a second', `${rows}, ${rate(start)}`)
  const db = connect(url, { statementTimeoutMs: 0 })
  defer(() => db.destroy())
  const rolling = performance.now()
  await report.step('credits rolled up', () => rollUpLedger(db, DETAIL_DAYS))
  report.fact('credits rolled up a second', rate(rolling))
  const sizes = await rollupStatus(db)
  const total = (column: 'megabytesBefore' | 'megabytesAfter') =>
    sizes.reduce((sum, status) => sum + (status[column] ?? 0), 0).toFixed(1)
  report.fact('MB before, after', `${total('megabytesBefore')}, ${total('megabytesAfter')}`)
  await report.step('old days merged', () => mergeFilled(trial, db))
  const { problems } = await audit(db)
  report.check(
    'violated rules',
    problems.map(({ rule }) => rule),
  )
}
