import fs from 'node:fs'
import path from 'node:path'
import { readArguments } from '#runtime/process/read-arguments'
import { ROOT } from '#runtime/process/root'
import { runFacts } from '#trials/bench/harness/figures/run-facts'
import { isPart, PARTS, type PartName } from '#trials/bench/parts/index'
import { goalsOf, resultText } from '#trials/bench/report'
import type { StoredResult } from '#trials/bench/result'

const USAGE = `npm run bench -- [${Object.keys(PARTS).join('|')}] [--rounds n] [--quick] [--compare <checkout>]`

/**
 * `npm run bench -- [part…] [--rounds n] [--quick]`: measures the parts one after the other, prints
 * their tables and stores each result in trials/results/. A part that fails leaves its stored result
 * and those of the others as they are. `--compare <checkout>` is the version that the parts `versions`
 * and `load` compare with.
 */
function options() {
  const { values, positionals } = readArguments(USAGE, {
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      quick: { type: 'boolean', default: false },
      compare: { type: 'string' },
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
const all = Object.keys(PARTS).filter((name) => name !== 'versions' || values.compare)
const wanted = positionals.length > 0 ? positionals : all

function storeResult(result: StoredResult): void {
  const folder = path.join(ROOT, 'trials/results')
  fs.mkdirSync(folder, { recursive: true })
  const text = `${JSON.stringify(result, null, 2)}\n`
  fs.writeFileSync(path.join(folder, `${result.part}.json`), text)
}

async function measure(part: PartName): Promise<void> {
  const command = `npm run bench -- ${part}${rounds === 5 ? '' : ` --rounds ${rounds}`}`
  const run = await runFacts(command, rounds)
  const log = (line: string) => console.log(`  ${line}`)
  const measurePart = await PARTS[part]()
  const { quick, compare } = values
  const result = { ...(await measurePart({ rounds, quick, compare, log })), run }
  console.log(resultText(result))
  if (!quick) storeResult(result)
  const missed = goalsOf(result).filter(({ isReached }) => !isReached)
  for (const { label } of missed) console.log(`goal not reached: ${label}`)
}

for (const part of wanted.filter(isPart)) {
  console.log(`\nbench ${part}, ${values.quick ? 'quick' : `${rounds} rounds`}`)
  try {
    await measure(part)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
}
process.exit()
