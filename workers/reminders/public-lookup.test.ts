import type { LookupAddress } from 'node:dns'
import { expect, it } from 'vitest'
import { PrivateAddressError, publicLookup } from './public-lookup.ts'

const v4 = (address: string): LookupAddress => ({ address, family: 4 })

/** What a connection gets for a name that resolves to these addresses. */
function lookup(addresses: LookupAddress[], all: boolean): Promise<unknown> {
  const resolve = publicLookup((_hostname, _options, done) => done(null, addresses))
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
