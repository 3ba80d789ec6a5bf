import os from 'node:os'
import { parseArgs } from 'node:util'
import { runSimulation } from '#scripts/simulation/run'
import { withServer } from '#scripts/simulation/server'

/**
 * `npm run simulate -- [--seed n] [--histories n] [--parallel n]`: plays histories of members against
 * the model until so many are done. `--seed n --only k` plays history k of one seed again.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    histories: { type: 'string', default: '1000' },
    only: { type: 'string' },
    parallel: { type: 'string', default: String(Math.min(4, os.availableParallelism())) },
  },
})
const isRight = await withServer((url) =>
  runSimulation(url, {
    seed: Number(values.seed),
    histories: Number(values.histories),
    only: values.only === undefined ? undefined : Number(values.only),
    parallel: Number(values.parallel),
  }),
)
process.exit(isRight ? 0 : 1)
