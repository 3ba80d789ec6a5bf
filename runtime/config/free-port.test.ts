import net from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from './free-port.ts'

const listening = (port: number) =>
  new Promise<net.Server>((resolve, reject) => {
    const server = net.createServer().once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })

it('free ports differ, can be listened on and lie below the ephemeral ports', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()))
  expect(new Set(ports).size).toBe(ports.length)
  expect(Math.max(...ports)).toBeLessThan(32_768)
  const servers = await Promise.all(ports.map(listening))
  for (const server of servers) server.close()
})
