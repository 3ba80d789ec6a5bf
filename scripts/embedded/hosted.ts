import { type ChildProcess, fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '#runtime/process/root'
import type { FromHost, ServerKind, ServerOptions } from '#scripts/embedded/protocol'

const STOP_LIMIT_MS = 35_000
const RESTART_DELAY_MS = 250
const MAX_FAILURES = 5

/** `pid` changes when the server is restarted. */
export interface Hosted {
  url: string
  pid: number
  stop(): Promise<void>
}

export interface HostedEvents {
  log(line: string): void
  /** Every restart failed. */
  failed(error: Error): void
}

/** Detached, so Ctrl-C and signals to the process group do not end it before its data is saved. */
function forkHost(kind: ServerKind, dataDir: string): ChildProcess {
  const log = fs.openSync(path.join(dataDir, `${kind}-host.log`), 'w', 0o600)
  const child = fork(path.join(ROOT, 'scripts/embedded/host.ts'), [kind], {
    cwd: ROOT,
    execArgv: ['--disable-warning=ExperimentalWarning', '--import', 'tsx'],
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  })
  fs.closeSync(log)
  return child
}

function untilReady(child: ChildProcess, kind: ServerKind) {
  return new Promise<{ url: string; port: number; pid: number }>((resolve, reject) => {
    child.once('message', (message: FromHost) => {
      if ('ready' in message) resolve(message.ready)
      else reject(new Error(message.failed))
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`The ${kind} host ended with code ${code}: see ${kind}-host.log`)),
    )
  })
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

async function end(child: ChildProcess) {
  if (hasEnded(child)) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  if (child.connected) child.send({ stop: true }, () => {})
  await ended
  clearTimeout(timer)
}

/** Restarts the server on the same port if it dies. */
export async function startHosted(
  kind: ServerKind,
  options: ServerOptions,
  { log, failed }: HostedEvents,
): Promise<Hosted> {
  let stopped = false
  let child: ChildProcess
  const start = async (port?: number) => {
    child = forkHost(kind, options.dataDir)
    const ready = untilReady(child, kind)
    child.send({ start: { ...options, port } }, () => {})
    return ready
  }

  const first = await start().catch(async (error) => {
    await end(child)
    return start().catch(() => Promise.reject(error))
  })
  const hosted: Hosted = {
    url: first.url,
    pid: first.pid,
    stop: async () => {
      stopped = true
      await end(child)
    },
  }

  const restart = async () => {
    let failure = new Error()
    for (let attempt = 0; attempt < MAX_FAILURES && !stopped; attempt += 1) {
      await sleep(RESTART_DELAY_MS * (attempt + 1))
      try {
        if (!stopped) hosted.pid = (await start(first.port)).pid
        return watch()
      } catch (error) {
        failure = error as Error
        await end(child)
      }
    }
    if (!stopped) failed(failure)
  }
  const watch = () => {
    const ended = () => {
      if (stopped) return
      log(`${kind} ended unexpectedly; restarting it`)
      void restart()
    }
    if (hasEnded(child)) ended()
    else child.once('exit', ended)
  }
  watch()
  return hosted
}
