import { readArguments } from '#runtime/process/read-arguments'
import { tryFleet } from '#trials/fleet/fleet-trial'
import { runTrial } from '#trials/kit/trial'

/**
 * `npm run test:fleet -- [--only cost|changes] [--rounds n] [--seconds n]`: eight workers and six gateways, added and removed
 * under load. Rounds and seconds are those of what sweeps cost; maintenance runs each 15 s.
 */
const { values } = readArguments(
  'npm run test:fleet -- [--only cost|changes] [--rounds <n>] [--seconds <n>]',
  {
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '15' },
    },
  },
)
const missing = process.platform === 'linux' ? undefined : 'it reads CPU times from /proc of Linux'
if (missing) throw new Error(missing)
await runTrial('Fleet', (trial) =>
  tryFleet(trial, {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    only: values.only,
  }),
)
