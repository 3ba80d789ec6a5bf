import type { Product } from './product.ts'
import { Visitor } from './visitor.ts'

let ips = 0

/** An IP address that no other visitor of this test file has. */
export function newIp(): string {
  ips += 1
  // Each in another network of 256 addresses, whose uses are counted too.
  return `198.18.${ips % 256}.${Math.floor(ips / 256)}`
}

/**
 * A visitor behind a proxy with that client IP address, by default a new one, so that its rate limits
 * are its own. The product needs `TRUSTED_PROXIES=127.0.0.1`.
 */
export function stranger(product: Product, ip = newIp(), gateway = 0): Visitor {
  return new Visitor(product, gateway, { 'X-Forwarded-For': ip })
}
