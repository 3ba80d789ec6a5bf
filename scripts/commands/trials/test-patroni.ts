import { missingPgBouncer } from '#scripts/chaos/failover/pgbouncer-process'
import { missingCitus } from '#scripts/citus/citus-cluster'
import { tryCitusFailover } from '#scripts/patroni/citus-trial'
import { tryFailover } from '#scripts/patroni/failover-trial'
import { missingPrograms } from '#scripts/patroni/programs'
import { readArguments } from '#scripts/process/read-arguments'
import { postgresPrograms } from '#scripts/recovery/debian-postgres'
import { runTrial } from '#scripts/trial/run-trial'

/**
 * `npm run test:patroni`: the primary is lost under load. `-- --kills 3 --pooled-kills 0`; `--citus` tries the servers of
 * a database that Citus distributes.
 */
const { values } = readArguments(
  'npm run test:patroni -- [--citus] [--kills <n>] [--pooled-kills <n>]',
  {
    options: {
      citus: { type: 'boolean', default: false },
      kills: { type: 'string', default: '10' },
      'pooled-kills': { type: 'string', default: '2' },
    },
  },
)
const programs = postgresPrograms() ?? ''
const kills = Number(values.kills)
const missing = missingPrograms()
if (values.citus) {
  await runTrial('Failover of Citus', missing ?? missingCitus(), (trial) =>
    tryCitusFailover(trial, { programs, kills }),
  )
}
const missingPooler = missingPgBouncer()
if (missingPooler) {
  console.log(`through PgBouncer: skipped, ${missingPooler}: apt-get install pgbouncer`)
}
const pooledKills = missingPooler ? 0 : Number(values['pooled-kills'])
await runTrial('Failover of PostgreSQL', missing, (trial) =>
  tryFailover(trial, { programs, kills, pooledKills }),
)
