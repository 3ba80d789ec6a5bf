import knex from 'knex'
import { audit } from '#db/ledger/audit'
import { auditSeals } from '#db/ledger/seals/audit-seals'
import { replicaLagSeconds } from '#db/postgres/replica'
import { withLocalDatabase } from '#scripts/embedded/local-database'
import { readEnvironment } from '#scripts/process/environment'
import { DATA_DIR } from '#scripts/process/root'

const SHOWN_ROWS = 20

const env = readEnvironment()
const target = { databaseUrl: env.DATABASE_REPLICA_URL || env.DATABASE_URL, dataDir: DATA_DIR }
const { wallets, problems } = await withLocalDatabase(target, async (connection) => {
  const db = knex({ client: 'pg', connection, pool: { min: 0, max: 2 } })
  try {
    const lag = await replicaLagSeconds(db)
    if (lag !== undefined) console.log(`replica, behind   ${lag.toFixed(1)} s`)
    const { wallets, problems } = await audit(db)
    const seals = Object.entries(await auditSeals(db)).filter(([, rows]) => rows.length > 0)
    return { wallets, problems: [...problems, ...seals.map(([rule, rows]) => ({ rule, rows }))] }
  } finally {
    await db.destroy()
  }
})

console.log(`wallets checked   ${wallets}`)
console.log(`broken rules      ${problems.length}`)
for (const { rule, rows } of problems) {
  console.error(`\n${rule}: ${rows.length} rows`)
  for (const row of rows.slice(0, SHOWN_ROWS)) console.error(`  ${JSON.stringify(row)}`)
  if (rows.length > SHOWN_ROWS) console.error(`  … and ${rows.length - SHOWN_ROWS} more`)
}
process.exit(problems.length > 0 ? 1 : 0)
