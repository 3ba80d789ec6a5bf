import { readArguments } from '#runtime/process/read-arguments'
import { missingCitus } from '#trials/citus/citus-cluster'
import { missingPgBouncer } from '#trials/failover/pgbouncer-process'
import { runTrial } from '#trials/kit/run-trial'
import { tryCitusFailover } from '#trials/patroni/citus-trial'
import { tryFailover } from '#trials/patroni/failover-trial'
import { missingPrograms } from '#trials/patroni/programs'
import { postgresPrograms } from '#trials/recovery/debian-postgres'

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
