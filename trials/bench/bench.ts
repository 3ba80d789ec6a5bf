import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readArguments } from '#runtime/process/read-arguments'
import { ROOT } from '#runtime/process/root'
import { buildRoles } from '#scripts/build/build-roles'
import { postgresBinaries } from '#scripts/embedded/postgres/postgres-binaries'
import { ensurePeers } from './peers.ts'
import { type Part, resultText } from './result.ts'
import { benchServers, installedRedis } from './servers.ts'

const PARTS: Record<string, () => Promise<Part>> = {
  credits: async () => (await import('./credits/credits.ts')).measureCredits,
  reads: async () => (await import('./reads/reads.ts')).measureReads,
  sockets: async () => (await import('./sockets/sockets.ts')).measureSockets,
  load: async () => (await import('./first-load/load.ts')).measureLoad,
  profile: async () => (await import('./profile.ts')).measureProfile,
  start: async () => (await import('./start.ts')).measureStart,
}

/** Parts that measure latencies from the times of commits. */
const TIMED_COMMITS = ['credits', 'sockets']

const USAGE = `npm run bench -- [${Object.keys(PARTS).join('|')}] [--rounds n] [--quick] [--compare <checkout>]`

const refuse = (reason: string): never => {
  console.error(`${reason}. Usage: ${USAGE}`)
  process.exit(1)
}

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
  if (!Number.isInteger(rounds) || rounds < 1) refuse('--rounds is a number from 1 on')
  const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name))
  if (unknown) refuse(`there is no part ${unknown}`)
  return { ...values, rounds, parts: positionals.length > 0 ? positionals : Object.keys(PARTS) }
}

const output = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** The commit of a checkout, marked if the checkout has uncommitted changes. */
function commitOf(checkout: string): string {
  const git = (...args: string[]) => output('git', '-C', checkout, ...args)
  const changed = git('status', '--porcelain', '--', 'db', 'gateway', 'workers')
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
}

async function runFacts(command: string, rounds: number) {
  const { postgres } = await postgresBinaries(undefined)
  const [cpu] = os.cpus()
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: commitOf(ROOT),
    command,
    rounds,
    load: os.loadavg()[0] ?? 0,
    cpu: cpu?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    postgres: output(postgres, '--version').replace(/^.* /, ''),
    redis: installedRedis()?.version ?? 'embedded Valkey (WebAssembly)',
  }
}

const { parts, rounds, quick, compare } = options()

/** JSON with each list of numbers on one line: the rounds of a row. */
const jsonOf = (result: object) =>
  JSON.stringify(result, null, 2).replace(
    /\[\s*([-\d.e,\s]+?)\s*\]/g,
    (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`,
  )

/** Measures a part; stores its result unless it is quick or a comparison with another checkout. */
async function measure(part: string): Promise<void> {
  const command = `npm run bench -- ${part}${rounds === 5 ? '' : ` --rounds ${rounds}`}`
  const run = await runFacts(command, rounds)
  const measurePart = await PARTS[part]?.()
  if (!measurePart) return
  const log = (line: string) => console.log(`  ${line}`)
  const servers = await benchServers(TIMED_COMMITS.includes(part))
  const measured = await measurePart(servers, { rounds, quick, compare, log }).finally(() =>
    servers.stop(),
  )
  const result = { part, ...measured, run }
  console.log(resultText(result))
  console.log(
    `- Commit \`${run.commit}\`, ${rounds} rounds, load average ${run.load} at the start.`,
  )
  if (compare) console.log(`- The other version is commit \`${commitOf(compare)}\`.`)
  else if (!quick) {
    const file = path.join(ROOT, 'trials/results', `${part}.json`)
    fs.writeFileSync(file, `${jsonOf(result)}\n`)
  }
}

await buildRoles()
await ensurePeers()
for (const part of parts) {
  console.log(`\nbench ${part}, ${quick ? 'quick' : `${rounds} rounds`}`)
  try {
    await measure(part)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
}
process.exit()
