import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockOwner, tryLock, unlock } from '#runtime/process/lifetime/process-lock.mjs'
import { startPostgres } from '#scripts/embedded/postgres/postgres'
import type { FromHost, RunningServer, ServerOptions, ToHost } from '#scripts/embedded/protocol'
import { startValkey } from '#scripts/embedded/valkey'

// Host process of one embedded server. After its owner ends, it stops the server and exits.

const PREDECESSOR_LIMIT_MS = 40_000

const kind = process.argv[2] === 'postgres' ? 'postgres' : 'valkey'
let starting: Promise<RunningServer> | undefined
let lock: string | undefined
let stopping = false

function sendToOwner(message: FromHost) {
  // Without a callback an owner that has just ended would end this process by EPIPE, before its server is stopped.
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

async function leave(code: number): Promise<never> {
  stopping = true
  try {
    // One that is still starting would go on without its host.
    const server = await starting?.catch(() => undefined)
    await server?.stop()
  } catch (error) {
    console.error(error)
    code = 1
  }
  if (lock) unlock(lock)
  process.exit(code)
}

/** The host of a killed owner may still be stopping its server on the same data. */
async function waitForPredecessor(file: string) {
  const end = performance.now() + PREDECESSOR_LIMIT_MS
  while (!tryLock(file)) {
    if (performance.now() > end)
      throw new Error(`Process ${lockOwner(file)} still holds ${file}: end it and start again`)
    await sleep(50)
  }
  lock = file
}

async function start(options: ServerOptions) {
  fs.mkdirSync(options.dataDir, { recursive: true })
  await waitForPredecessor(path.join(options.dataDir, `${kind}.lock`))
  if (stopping) return
  starting = kind === 'postgres' ? startPostgres(options) : startValkey(options)
  const { url, port, pid, ended } = await starting
  ended.then(() => stopping || leave(1))
  if (stopping) return
  if (!process.connected) await leave(0)
  sendToOwner({ ready: { url, port, pid } })
}

process.on('message', (message: ToHost) => {
  if ('stop' in message) void leave(0)
  else {
    start(message.start).catch((error: Error) => {
      sendToOwner({ failed: error.message })
      void leave(1)
    })
  }
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => leave(0))
process.on('disconnect', () => leave(0))
