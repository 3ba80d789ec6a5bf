import { readArguments } from '#runtime/process/read-arguments'
import { missing } from './kit/needs.ts'
import { runInGroup } from './kit/process-group.ts'
import { runTrial } from './kit/trial.ts'
import { TRIALS, trialsTable, usageOf } from './trials.ts'

/** `npm run trial <name> -- <options>`; without a name it prints the table of all trials. */
const [name = '', ...argv] = process.argv.slice(2)
const entry = TRIALS[name]
if (!entry) {
  console.log(`Usage: npm run trial <name> -- <options>\n\n${trialsTable()}`)
  process.exit(name === '' || name === '--help' ? 0 : 1)
}
const { options = {}, needs = [], run } = entry
const { values } = readArguments(
  usageOf(name),
  {
    options: Object.fromEntries(
      Object.entries(options).map(([option, value]) => [
        option,
        typeof value === 'boolean'
          ? { type: 'boolean' as const, default: value }
          : { type: 'string' as const, default: String(value) },
      ]),
    ),
  },
  argv,
)
const given = Object.entries(values).map(([option, value]) => {
  const isNumber = typeof options[option] === 'number'
  if (isNumber && !Number.isFinite(Number(value))) {
    console.error(`--${option} is a number. Usage: ${usageOf(name)}`)
    process.exit(1)
  }
  return [option, isNumber ? Number(value) : (value ?? '')]
})
const folder = process.env.TRIAL_FOLDER
if (folder) await runTrial(name, folder, (trial) => run(trial, Object.fromEntries(given)))

const unmet = missing(needs)
if (unmet.length > 0) {
  console.error(`The trial ${name} cannot run here:\n${unmet.join('\n')}`)
  process.exit(1)
}
process.exit(await runInGroup(['--import', 'tsx', 'trials/run.ts', name, ...argv]))
