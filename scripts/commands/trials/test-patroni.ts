import { missingPgBouncer } from '#scripts/chaos/failover/pgbouncer-process'
import { tryFailover } from '#scripts/patroni/failover-trial'
import { missingPrograms } from '#scripts/patroni/programs'
import { readArguments } from '#scripts/process/read-arguments'
import { postgresPrograms } from '#scripts/recovery/debian-postgres'
import { runTrial } from '#scripts/trial/run-trial'

/** `npm run test:patroni`: the primary is lost under load. `-- --kills 3 --pooled-kills 0`. */
const { values } = readArguments('npm run test:patroni -- [--kills <n>] [--pooled-kills <n>]', {
  options: {
    kills: { type: 'string', default: '10' },
    'pooled-kills': { type: 'string', default: '2' },
  },
})
const missingPooler = missingPgBouncer()
if (missingPooler) {
  console.log(`through PgBouncer: skipped, ${missingPooler}: apt-get install pgbouncer`)
}
const pooledKills = missingPooler ? 0 : Number(values['pooled-kills'])
await runTrial('Failover of PostgreSQL', missingPrograms(), (trial) => {
  const programs = postgresPrograms() ?? ''
  return tryFailover(trial, { programs, kills: Number(values.kills), pooledKills })
})
