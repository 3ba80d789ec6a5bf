import { spawnSync } from 'node:child_process'
import { readArguments } from '#runtime/process/read-arguments'
import { missingCitus } from '#trials/citus/citus-cluster'
import { compareCitus } from '#trials/citus/trials/compare-trial'
import { distributeFilled } from '#trials/citus/trials/filled-trial'
import { growCitus } from '#trials/citus/trials/growth-trial'
import { tortureCitus } from '#trials/citus/trials/torture-trial'
import { missingPgBouncer } from '#trials/failover/pgbouncer-process'
import { runTrial } from '#trials/kit/run-trial'

/**
 * `npm run test:citus`: the tests of vitest.citus.config.ts on three nodes, then the torture.
 * `-- --only suite|torture|compare|filled|growth`; `--minutes 5 --members 12 --seed 1 --pooled` of the torture; `--rounds 5
 * --sessions 100000 --commands 200 --shards 8` of the comparison with plain Postgres; `--sessions` are the
 * members of a database that is filled with `--days 2` before it is distributed. The growth ends with `--nodes 3`.
 */
const { values } = readArguments(
  'npm run test:citus -- [--only suite|torture|compare|filled|growth] [--minutes <n>] [--members <n>] [--seed <n>] [--pooled] [--rounds <n>] [--sessions <n>] [--commands <n>] [--shards <n>] [--days <n>] [--nodes <n>]',
  {
    options: {
      only: { type: 'string' },
      minutes: { type: 'string', default: '5' },
      members: { type: 'string', default: '12' },
      seed: { type: 'string', default: '1' },
      pooled: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '5' },
      sessions: { type: 'string', default: '100000' },
      commands: { type: 'string', default: '200' },
      shards: { type: 'string', default: '8' },
      days: { type: 'string', default: '2' },
      nodes: { type: 'string', default: '3' },
    },
  },
)
const missing = missingCitus() ?? (values.pooled ? missingPgBouncer() : undefined)
const isWanted = (part: string) => values.only === part || (!values.only && part !== 'compare')

if (!missing && isWanted('suite')) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.citus.config.ts']
  const env = { ...process.env, NODE_ENV: 'test' }
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  if (status !== 0) process.exit(status ?? 1)
}
if (isWanted('compare')) {
  const options = {
    members: Number(values.sessions),
    rounds: Number(values.rounds),
    commands: Number(values.commands),
    shards: Number(values.shards),
  }
  await runTrial('Citus beside plain Postgres', missing, (trial) => compareCitus(trial, options))
}
if (values.only === 'filled') {
  const options = {
    members: Number(values.sessions),
    days: Number(values.days),
    shards: Number(values.shards),
  }
  await runTrial('Citus: a filled database', missing, (trial) => distributeFilled(trial, options))
}
if (values.only === 'growth') {
  const options = {
    members: Number(values.members),
    seed: Number(values.seed),
    nodes: Number(values.nodes),
  }
  await runTrial('Citus: nodes added under load', missing, (trial) => growCitus(trial, options))
}
if (missing || isWanted('torture')) {
  const options = {
    minutes: Number(values.minutes),
    members: Number(values.members),
    seed: Number(values.seed),
    pooled: values.pooled,
  }
  await runTrial('Citus: nodes killed, shards moved', missing, (trial) =>
    tortureCitus(trial, options),
  )
}
