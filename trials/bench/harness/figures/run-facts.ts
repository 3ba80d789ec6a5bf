import { execFileSync } from 'node:child_process'
import os from 'node:os'
import { ROOT } from '#runtime/process/root'
import { postgresBinaries } from '#scripts/embedded/postgres/postgres-binaries'
import { installedRedis } from '#trials/bench/harness/redis-server'
import type { RunFacts } from '#trials/bench/result'

const output = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** The commit of a checkout, marked if the checkout has changes of its own. */
export function commitOf(checkout: string): string {
  const git = (...args: string[]) => output('git', '-C', checkout, ...args)
  const changed = git('status', '--porcelain', '--', 'db', 'gateway', 'workers')
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`
}

/** Date, machine and commit of a run that starts now. */
export async function runFacts(command: string, rounds: number): Promise<RunFacts> {
  const { postgres } = await postgresBinaries(undefined)
  const [cpu] = os.cpus()
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: commitOf(ROOT),
    command,
    rounds,
    cpu: cpu?.model ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    postgres: output(postgres, '--version').replace(/^.* /, ''),
    redis: installedRedis()?.version ?? 'embedded Valkey (WebAssembly)',
  }
}
