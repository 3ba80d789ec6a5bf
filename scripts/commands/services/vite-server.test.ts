import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { createServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { proxyTo } from './vite-server.ts'

/** An address of this machine that the network sees. */
const ADDRESS = Object.values(os.networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

/** Port of a Vite server for the network, whose gateway answers everything. */
async function openToNetwork(): Promise<number> {
  const gateway = http.createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  onTestFinished(() => void gateway.close())
  await once(gateway, 'listening')
  const vite = await createServer({
    root: testFolder(),
    configFile: false,
    logLevel: 'silent',
    server: {
      host: '0.0.0.0',
      port: 0,
      proxy: proxyTo(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`),
    },
  })
  onTestFinished(() => vite.close())
  await vite.listen()
  const { port = 0 } = (vite.httpServer?.address() ?? {}) as Partial<AddressInfo>
  return port
}

it.runIf(ADDRESS)(
  'npm run dev that is open to the network shows mails to this machine only',
  async () => {
    const port = await openToNetwork()
    const statusOf = async (host: string, path: string) =>
      (await fetch(`http://${host}:${port}${path}`)).status
    expect(await statusOf(ADDRESS ?? '', '/api/wallet')).toBe(200)
    expect(await statusOf('127.0.0.1', '/dev/outbox')).toBe(200)
    expect(await statusOf(ADDRESS ?? '', '/dev/outbox')).toBe(404)
  },
)
