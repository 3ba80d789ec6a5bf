import type { LookupAddress } from 'node:dns'
import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from '#db/reminders/push-subscriptions'

/** A name of a push endpoint that resolves to a private address. */
export class PrivateAddressError extends Error {}

type Resolve = (
  hostname: string,
  options: dns.LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * A lookup for connections to servers that a stranger has named. It checks the very addresses that
 * are connected, so a name that resolves differently the next time gains nothing (DNS rebinding).
 */
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
