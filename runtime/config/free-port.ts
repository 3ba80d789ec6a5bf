import { randomInt } from 'node:crypto'
import net from 'node:net'

/** Below the ephemeral ranges of Linux, macOS and Windows, from which the kernel serves outgoing connections. */
const FROM = 10_240
const TO = 32_768
const TRIES = 100

/** Ports that this process chose before; their servers may not listen yet. */
const chosen = new Set<number>()

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(FROM, TO)
    if (chosen.has(port)) continue
    chosen.add(port)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port found in ${TRIES} tries between ${FROM} and ${TO}`)
}

export const freePorts = (count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, freePort))
