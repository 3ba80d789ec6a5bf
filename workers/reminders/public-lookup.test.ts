import { createSocket } from 'node:dgram'
import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { askServers, PrivateAddressError, publicLookup } from './public-lookup.ts'

const v4 = (address: string): LookupAddress => ({ address, family: 4 })

/** What a connection gets for a name that resolves to these addresses. */
function lookup(addresses: LookupAddress[], all: boolean): Promise<unknown> {
  const resolve = publicLookup(async () => addresses)
  return new Promise((found, failed) =>
    resolve('push.example', { all }, (error, address) => (error ? failed(error) : found(address))),
  )
}

it('a name with public addresses is connected', async () => {
  expect(await lookup([v4('8.8.8.8')], false)).toBe('8.8.8.8')
  expect(await lookup([v4('8.8.8.8'), v4('8.8.4.4')], true)).toHaveLength(2)
})

it.each([
  [[v4('127.0.0.1')]],
  [[v4('8.8.8.8'), v4('10.0.0.1')]],
  [[{ address: '::1', family: 6 }]],
  [[]],
])('a name with the addresses %j is not connected', async (addresses) => {
  await expect(lookup(addresses, true)).rejects.toBeInstanceOf(PrivateAddressError)
  await expect(lookup(addresses, false)).rejects.toBeInstanceOf(PrivateAddressError)
})

it('a DNS server that does not answer ends the look-up', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const resolver = new Resolver({ timeout: 100, tries: 1 })
  resolver.setServers([`127.0.0.1:${silent.address().port}`])
  await expect(askServers('push.example', resolver)).rejects.toMatchObject({ code: 'ETIMEOUT' })
  silent.close()
})
