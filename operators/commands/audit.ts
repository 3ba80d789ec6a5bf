import knex from 'knex'
import { audit } from '#db/ledger/audit'
import { auditSeals } from '#db/ledger/seals/audit-seals'
import { connect } from '#db/postgres/connection/connect'
import { catchesUp, replicaLagSeconds } from '#db/postgres/connection/replica'
import type { Db } from '#db/postgres/statements/transaction'
import { readEnvironment } from '#runtime/process/environment'
import { explain } from '#runtime/process/explain'
import { readArguments } from '#runtime/process/read-arguments'
import { DATA_DIR } from '#runtime/process/root'
import { withLocalDatabase } from '#scripts/embedded/local-database'

const SHOWN_ROWS = 20

/** `npm run audit`: `-- --wait 300` gives the replica more time to catch up. */
const { values } = readArguments('npm run audit -- [--wait <seconds>]', {
  options: { wait: { type: 'string', default: '60' } },
})
const env = readEnvironment()
const primaryUrl = env.DATABASE_DIRECT_URL || env.DATABASE_URL
const replicaUrl = env.DATABASE_REPLICA_URL

/** Whether the replica may be audited; a lost primary leaves nothing to wait for. */
async function isRecent(replica: Db, primaryUrl: string): Promise<boolean> {
  const primary = connect(primaryUrl, { max: 1, name: 'tesp-audit' })
  try {
    return await catchesUp(primary, replica, Number(values.wait) * 1_000)
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    console.error(`The primary is not reachable (${reason}): what the replica lacks is not audited`)
    return true
  } finally {
    await primary.destroy()
  }
}

const target = { databaseUrl: replicaUrl || primaryUrl, dataDir: DATA_DIR }
const { wallets, problems } = await withLocalDatabase(target, async (connection) => {
  const db = knex({ client: 'pg', connection, pool: { min: 0, max: 2 }, log: { warn: () => {} } })
  try {
    if (replicaUrl && primaryUrl && !(await isRecent(db, primaryUrl))) {
      console.error(
        `The replica is more than ${values.wait} s behind the primary: nothing is audited.`,
      )
      console.error('Wait longer (--wait <seconds>), or unset DATABASE_REPLICA_URL.')
      process.exit(1)
    }
    const lag = await replicaLagSeconds(db)
    if (lag !== undefined) console.log(`replica, behind   ${lag.toFixed(1)} s`)
    const { wallets, problems } = await audit(db)
    const seals = Object.entries(await auditSeals(db)).filter(([, rows]) => rows.length > 0)
    return { wallets, problems: [...problems, ...seals.map(([rule, rows]) => ({ rule, rows }))] }
  } finally {
    await db.destroy()
  }
}).catch((error: unknown) => {
  console.error(explain(error))
  process.exit(1)
})

console.log(`wallets checked   ${wallets}`)
console.log(`broken rules      ${problems.length}`)
for (const { rule, rows } of problems) {
  console.error(`\n${rule}: ${rows.length} rows`)
  for (const row of rows.slice(0, SHOWN_ROWS)) console.error(`  ${JSON.stringify(row)}`)
  if (rows.length > SHOWN_ROWS) console.error(`  … and ${rows.length - SHOWN_ROWS} more`)
}
process.exit(problems.length > 0 ? 1 : 0)
