import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { assertPortIsFree } from './start-locally.ts'

const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
const hosts = ['127.0.0.1', '::1'].filter((host) =>
  addresses.some(({ address }) => address === host),
)

it.each(hosts)('a port that another program uses on %s is not free', async (host) => {
  const other = net.createServer().listen(0, host)
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(assertPortIsFree(port, '127.0.0.1')).rejects.toMatchObject({
    code: 'EADDRINUSE',
    syscall: 'listen',
  })
  await once(other.close(), 'close')
  await expect(assertPortIsFree(port, '127.0.0.1')).resolves.toBeUndefined()
})
