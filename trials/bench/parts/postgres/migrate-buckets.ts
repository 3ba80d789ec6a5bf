import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#db/postgres/connection/connect'
import { migrate } from '#db/postgres/schema/migrate'
import { databaseBefore } from '#db/testing/releases/earlier-database'
import { assertCleanAudit } from '#trials/bench/harness/clean-audit'
import { quantile } from '#trials/bench/harness/figures/statistics'
import { benchServers } from '#trials/bench/harness/servers'
import { earlierLedger } from '#trials/bench/migration/earlier-ledger'
import { watchLockWaits } from '#trials/bench/migration/lock-waits'
import { pressButtons } from '#trials/bench/migration/presses'
import type { BenchOptions, PartResult } from '#trials/bench/result'

const SIZE = { members: 10_000, days: 7 }
const QUICK_SIZE = { members: 500, days: 3 }
const CONNECTIONS = 4
/** Time of presses without a migration, for comparison. */
const CALM_MS = 10_000

/** Migration of a filled ledger of the release before buckets while its members press. */
export async function run({ quick, log }: BenchOptions): Promise<PartResult> {
  const { members, days } = quick ? QUICK_SIZE : SIZE
  const servers = await benchServers()
  const url = await databaseBefore(servers.databaseUrl, 'earlier', '031-member-buckets')
  const db = connect(url, { max: 2, name: 'bench', statementTimeoutMs: 0 })
  const users = connect(url, { max: CONNECTIONS, name: 'presses' })
  try {
    const rows = await earlierLedger(db, members, days)
    log(`${rows} ledger rows of ${members} members are filled`)
    const calm = pressButtons(users, CONNECTIONS)
    await sleep(quick ? 1_000 : CALM_MS)
    const before = await calm.stop()
    const waits = watchLockWaits(db)
    const busy = pressButtons(users, CONNECTIONS)
    const startedAt = performance.now()
    await migrate(url, { report: log })
    const seconds = (performance.now() - startedAt) / 1_000
    const during = await busy.stop()
    const waited = await waits.stop()
    await assertCleanAudit(db)
    return {
      part: 'migrate-buckets',
      title: 'Migration of a ledger in use to buckets',
      tables: [
        table('time', `Migration of ${rows.toLocaleString('en')} ledger rows`, 's', {
          'whole migration': seconds,
        }),
        table('presses', 'Statements of members', 'ms', {
          'before: median': quantile(before, 0.5),
          'before: p99': quantile(before, 0.99),
          'before: max': Math.max(...before),
          'during: median': quantile(during, 0.5),
          'during: p99': quantile(during, 0.99),
          'during: max': Math.max(...during),
        }),
        table('waits', 'Waits of members for a lock of a table', 'ms', {
          p99: quantile(waited, 0.99) || 0,
          max: Math.max(0, ...waited),
        }),
      ],
      notes: [
        `${members.toLocaleString('en')} members who mined for ${days} days, one migration. ${CONNECTIONS} connections sign members up, start sessions and pay tasks by statements of the release before: ${during.length.toLocaleString('en')} statements during the migration, ${waited.length} of which were seen waiting.`,
        'The audit holds at the end.',
      ],
    }
  } finally {
    await users.destroy()
    await db.destroy()
    await servers.stop()
  }
}

/** A table of single values. */
function table(id: string, title: string, unit: string, values: Record<string, number>) {
  const rows = Object.entries(values).map(([label, value]) => ({ label, values: [value] }))
  return { id, title, unit, higherIsBetter: false, rows, plot: { kind: 'none' as const } }
}
