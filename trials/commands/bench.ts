import { readArguments } from '#runtime/process/read-arguments'
import { runFacts } from '#trials/bench/harness/figures/run-facts'
import { isPart, PARTS, type PartName } from '#trials/bench/parts/index'
import { writePage } from '#trials/bench/report/page'
import { goalsOf, resultText } from '#trials/bench/report/result-text'
import { storeResult } from '#trials/bench/report/store'

const USAGE = `npm run bench -- [${Object.keys(PARTS).join('|')}] [--rounds n] [--quick] [--page] [--beside <checkout>]`

/**
 * `npm run bench -- [part…] [--rounds n] [--quick]`: measures the parts one after the other, prints
 * their tables, stores each result in docs/performance/ and writes docs/performance.md. A part that
 * fails leaves its stored result and those of the others as they are. `--page` measures nothing and
 * writes the page from the stored results. `--beside <checkout>` is the version that the parts `versions`
 * and `versions-credits` compare with.
 */
function options() {
  const { values, positionals } = readArguments(USAGE, {
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      quick: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      beside: { type: 'string' },
    },
  })
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds is a number from 1 on')
  const unknown = positionals.find((name) => !isPart(name))
  if (unknown) throw new Error(`there is no part ${unknown}`)
  return { values, rounds, positionals }
}

function optionsOrUsage() {
  try {
    return options()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}. Usage: ${USAGE}`)
    process.exit(1)
  }
}

const { values, rounds, positionals } = optionsOrUsage()
const all = Object.keys(PARTS).filter((name) => !name.startsWith('versions') || values.beside)
const wanted = positionals.length > 0 ? positionals.filter(isPart) : all
const parts = values.page ? [] : wanted

async function measure(part: PartName): Promise<void> {
  const command = `npm run bench -- ${part}${rounds === 5 ? '' : ` --rounds ${rounds}`}`
  const run = await runFacts(command, rounds)
  const log = (line: string) => console.log(`  ${line}`)
  const measurePart = await PARTS[part]()
  const { quick, beside } = values
  const result = { ...(await measurePart({ rounds, quick, beside, log })), run }
  console.log(resultText(result))
  if (!values.quick) storeResult(result)
  const missed = goalsOf(result).filter(({ isReached }) => !isReached)
  for (const { label } of missed) console.log(`goal not reached: ${label}`)
}

for (const part of parts as PartName[]) {
  console.log(`\nbench ${part}, ${values.quick ? 'quick' : `${rounds} rounds`}`)
  try {
    await measure(part)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
}
if (!values.quick) writePage()
process.exit()
