import knex from 'knex'
import { audit } from '#db/ledger/audit'
import { withLocalDatabase } from '#scripts/embedded/local-database'
import { readEnvironment } from '#scripts/process/environment'
import { DATA_DIR } from '#scripts/process/root'

const SHOWN_ROWS = 20

const target = { databaseUrl: readEnvironment().DATABASE_URL, dataDir: DATA_DIR }
const { wallets, problems } = await withLocalDatabase(target, async (connection) => {
  const db = knex({ client: 'pg', connection, pool: { min: 0, max: 2 } })
  return audit(db).finally(() => db.destroy())
})

console.log(`wallets checked   ${wallets}`)
console.log(`broken rules      ${problems.length}`)
for (const { rule, rows } of problems) {
  console.error(`\n${rule}: ${rows.length} rows`)
  for (const row of rows.slice(0, SHOWN_ROWS)) console.error(`  ${JSON.stringify(row)}`)
  if (rows.length > SHOWN_ROWS) console.error(`  … and ${rows.length - SHOWN_ROWS} more`)
}
process.exit(problems.length > 0 ? 1 : 0)
