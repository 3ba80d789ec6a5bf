import { isIPv4, isIPv6 } from 'node:net'
import { ipBucket } from '#gateway/services/rate-limits'

/**
 * A coarse place of an IP address: the first half of an IPv4 address (`203.0.x.x`), the first 32 bits
 * of an IPv6 address (`2001:db8::/32`). It distinguishes the networks of a member and identifies nobody.
 */
export function networkName(ip: string): string {
  if (isIPv4(ip)) return `${ip.split('.').slice(0, 2).join('.')}.x.x`
  if (!isIPv6(ip)) return 'unknown network'
  return `${ipBucket(ip).split(':').slice(0, 2).join(':')}::/32`
}
