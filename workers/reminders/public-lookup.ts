import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from '#db/reminders/push-subscriptions'

export class PrivateAddressError extends Error {}

/**
 * Addresses of a name, from DNS servers. Names of strangers must not go through `dns.lookup`: a server that does
 * not answer would hold threads that new connections to Postgres and Redis need as well.
 * @throws the error of DNS if the name has neither IPv4 nor IPv6 addresses
 */
export async function askServers(
  hostname: string,
  resolver = new Resolver({ timeout: 2_000, tries: 2 }),
): Promise<LookupAddress[]> {
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
  const known = (answer: PromiseSettledResult<string[]>, family: number) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
  return [...known(v4, 4), ...known(v6, 6)]
}

/** For hosts that a stranger names: checks the very addresses that are connected, which stops DNS rebinding. */
export function publicLookup(
  resolve: (hostname: string) => Promise<LookupAddress[]> = (hostname) => askServers(hostname),
): LookupFunction {
  return (hostname, options, done) => {
    const check = (addresses: LookupAddress[]) => {
      const [first] = addresses
      if (!first || addresses.some(({ address }) => !isPublicAddress(address))) {
        return done(new PrivateAddressError(`${hostname} has no public address`), '')
      }
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    }
    resolve(hostname).then(check, (error) => done(error, ''))
  }
}
