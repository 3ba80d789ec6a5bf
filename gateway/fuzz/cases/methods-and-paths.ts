import type { RouteCase } from './case.ts'
import { TARGETS, type Target } from './targets.ts'

/** Methods that Node parses and no route has. */
const UNSUPPORTED = ['TRACE', 'PROPFIND', 'PURGE', 'SEARCH', 'LOCK', 'M-SEARCH']
const SUPPORTED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export function methodCases({ path }: Target): RouteCase[] {
  const own = TARGETS.filter((other) => other.path() === path()).map(({ method }) => method)
  if (own.includes('GET')) own.push('HEAD')
  const made = (method: string, ...statuses: number[]) => {
    return { name: `the method ${method}`, method, statuses }
  }
  return [
    ...SUPPORTED.filter((method) => !own.includes(method)).map((method) => made(method, 405)),
    ...UNSUPPORTED.map((method) => made(method, 501)),
    made('OPTIONS', 200, 204),
  ]
}

/** Variants of the route's path, cross-site if the route itself would take effect. */
export function pathCases({ path, takesEffect }: Target): RouteCase[] {
  const at = path()
  const paths = [
    `/${at}`,
    `//evil.example${at}`,
    `/x/..${at}`,
    `${at}/..`,
    `${at}/`,
    `${at}//`,
    `${at}%2f`,
    at.replace('/api', '/api/.'),
    at.replace('/api/', '/api//'),
    at.replace('/api', '/%61pi'),
    `${at}%00`,
    `${at}%`,
    `${at};a=1`,
    `${at}\\`,
    `${at}.json`,
    `${at}/%2e%2e/%2e%2e/etc/passwd`,
    at.toUpperCase(),
    `/api/..%2f..%2f${at}`,
    `${at}/${'a/'.repeat(2_000)}`,
  ]
  return paths.map((other) => ({
    name: `the path ${other.slice(0, 60)}`,
    path: other,
    headers: { Accept: 'application/json', ...(takesEffect && { Origin: 'https://evil.example' }) },
  }))
}

const HEADERS: Record<string, (string | string[])[]> = {
  Host: ['', 'evil.example', '<script>', 'a b', '127.0.0.1:99999', '[::1', '@', 'a'.repeat(5_000)],
  Accept: ['garbage', '*/*;q=2', ',,,', 'a/b;'.repeat(2_000)],
  'Accept-Encoding': ['garbage;q=x', '*;q=0'],
  'Accept-Language': ['../../etc/passwd', 'a-'.repeat(3_000)],
  'If-None-Match': ['*', 'W/"', ',,,,', `a${' '.repeat(12_000)}b`],
  'If-Modified-Since': ['garbage', 'Thu, 99 Foo 0000'],
  Range: ['bytes=0-0', 'bytes=9-1', `bytes=${'0-1,'.repeat(1_000)}`],
  'X-HTTP-Method-Override': ['DELETE'],
  'X-Original-URL': ['/metrics'],
  'X-Forwarded-Host': ['evil.example'],
  'X-Forwarded-For': ["' OR 1=1", ',,,', '::ffff:::', '127.0.0.1,'.repeat(1_000)],
  'X-Forwarded-Proto': ['javascript'],
  Forwarded: ['for="_evil";host=evil'],
  Authorization: ['Bearer ..', 'Basic OjpiYWQ=', 'Basic ====='],
  'User-Agent': ["'; DROP TABLE users; --", '<script>alert(1)</script>', 'a'.repeat(8_000)],
  Referer: ['javascript:alert(1)', 'http://[::1'],
  Connection: ['keep-alive, cookie', 'garbage'],
  'Content-Type': [['application/json', 'text/plain']],
  Origin: [[`https://evil.example`, 'null']],
  'X-Odd': [['a', 'b', 'c'], '\u00ff\u00fe', '\t', '() { :; }; echo'],
}

/** Malformed and unusual headers; a route with a body gets `{}`, which its schema rejects. */
export function headerCases({ body, takesEffect }: Target): RouteCase[] {
  if (takesEffect && !body) return []
  return Object.entries(HEADERS).flatMap(([header, values]) =>
    values.map((value) => ({
      name: `${header}: ${String(value).slice(0, 30)}`,
      ...(body && { body: '{}' }),
      headers: { [header]: value },
    })),
  )
}

const INVALID_KEYS = [
  'short',
  'a'.repeat(129),
  'a'.repeat(4_000),
  'with some blanks',
  "x' OR '1'='1",
  '../../../..',
  '{"$ne":null}',
  '<script>alert',
  'k\u00e9y-of-latin',
  '%00%00%00%00',
  '*'.repeat(20),
  ['first-key-1', 'second-key-2'],
]

/** They take no key: a logout would end the sign-in, a sign-in has no member yet, a link's code is not stored. */
const KEYLESS = ['POST /api/logout', 'POST /api/passkey/options', 'POST /api/telegram/link']

export function idempotencyKeyCases({ validBody, takesEffect, route }: Target): RouteCase[] {
  if (KEYLESS.includes(route) || (!takesEffect && !validBody)) return []
  return INVALID_KEYS.map((key) => ({
    name: `Idempotency-Key: ${String(key).slice(0, 30)}`,
    from: 'member',
    ...(validBody ? { body: takesEffect ? '{}' : validBody } : { statuses: [400] }),
    headers: { 'Idempotency-Key': key },
  }))
}
