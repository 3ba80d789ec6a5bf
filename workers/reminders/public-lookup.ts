import type { LookupAddress } from 'node:dns'
import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from '#db/reminders/push-subscriptions'

export class PrivateAddressError extends Error {}

type Resolve = (
  hostname: string,
  options: dns.LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** For hosts that a stranger names: checks the very addresses that are connected, which stops DNS rebinding. */
export function publicLookup(resolve: Resolve = dns.lookup): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const [first] = addresses
      if (!first || addresses.some(({ address }) => !isPublicAddress(address))) {
        return done(new PrivateAddressError(`${hostname} has no public address`), '')
      }
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    })
  }
}
