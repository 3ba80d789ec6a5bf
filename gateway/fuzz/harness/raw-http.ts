/** Bytes for a new connection and the allowed statuses; `end` half-closes after them. */
type RawCase = { name: string; bytes: string | Buffer; statuses: number[]; end?: boolean }

const CLOSE = 'Host: x\r\nConnection: close\r\n'
const JSON_POST = `POST /api/login HTTP/1.1\r\n${CLOSE}Content-Type: application/json\r\n`
const UPGRADE = 'Host: x\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n'
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\n${CLOSE}${more}\r\n`

/** Not HTTP, or HTTP that the gateway does not accept. */
const MALFORMED: Record<string, string | Buffer> = {
  'a word': 'hello\r\n\r\n',
  'a TLS client hello': Buffer.from('16030100c8010000c40303', 'hex'),
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/9.9': `GET / HTTP/9.9\r\n${CLOSE}\r\n`,
  'HTTP/0.9': 'GET /api/user\r\n\r\n',
  'an unknown method': `FOO /api/user HTTP/1.1\r\n${CLOSE}\r\n`,
  'a lower-case method': `get /api/user HTTP/1.1\r\n${CLOSE}\r\n`,
  'no target': `GET HTTP/1.1\r\n${CLOSE}\r\n`,
  'a target without a slash': get('api/user'),
  'a target with a space': get('/api /user'),
  'a target with NUL': get('/api/user\u0000'),
  'a malformed target': get('http://[::1/api/user'),
  'lines without CR': 'GET /api/user HTTP/1.1\nHost: x\n\n',
  'a header without a colon': get('/api/user', 'garbage\r\n'),
  'a header without a name': get('/api/user', ': a\r\n'),
  'a space before the colon of a header': get('/api/user', 'X-Odd : a\r\n'),
  'a folded header': get('/api/user', 'X-Odd: a\r\n b\r\n c\r\u0000\r\n'),
  'a header with NUL': get('/api/user', 'X-Odd: a\u0000b\r\n'),
  'a header with an escape': get('/api/user', 'X-Odd: a\u001bb\r\n'),
  'no host': 'GET /api/user HTTP/1.1\r\nConnection: close\r\n\r\n',
  'two hosts': get('/api/user', 'Host: y\r\n'),
  'half a request': `${JSON_POST}Content-Length: 2\r\n`,
  noise: Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 7_919) % 256)),
}

const LENGTHS: Record<string, string> = {
  'a length that is not a number': 'Content-Length: two\r\n\r\n{}',
  'a negative length': 'Content-Length: -2\r\n\r\n{}',
  'a length with a sign': 'Content-Length: +2\r\n\r\n{}',
  'a length in hexadecimal': 'Content-Length: 0x2\r\n\r\n{}',
  'a length of 40 digits': `Content-Length: ${'9'.repeat(40)}\r\n\r\n{}`,
  'two lengths': 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  'two lengths in one header': 'Content-Length: 2, 3\r\n\r\n{}',
  'a length and chunks': 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  'an unknown transfer coding': 'Transfer-Encoding: wonders\r\n\r\n{}',
  'a coding after chunked': 'Transfer-Encoding: chunked, gzip\r\n\r\n{}',
  'a misspelt chunked': 'Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'a chunk without a size': 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'a negative chunk size': 'Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n',
  'a chunk size of 40 digits': `Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n{}`,
  'a chunk longer than its size': 'Transfer-Encoding: chunked\r\n\r\n2\r\n{"a":1}\r\n0\r\n\r\n',
  'a chunk extension of 100 KB': `Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(100_000)}\r\n{}\r\n`,
}

/** Cases that each need a separate connection. */
export function rawCases(): RawCase[] {
  const rawCase = (name: string, bytes: string | Buffer, ...statuses: number[]) => ({
    name,
    bytes,
    statuses: statuses.length > 0 ? statuses : [400],
  })
  const upgrades = ['/', '/api/user', '/socket.io', '/socket.ioo/', '//socket.io/'].flatMap(
    (path) => [
      rawCase(
        `a WebSocket upgrade at ${path}`,
        `GET ${path} HTTP/1.1\r\n${UPGRADE}Upgrade: websocket\r\n${KEY}\r\n`,
      ),
      rawCase(
        `an HTTP/2 upgrade at ${path}`,
        `GET ${path} HTTP/1.1\r\n${UPGRADE}Upgrade: h2c\r\n\r\n`,
      ),
    ],
  )
  return [
    ...Object.entries(MALFORMED).map(([name, bytes]) => ({ ...rawCase(name, bytes), end: true })),
    ...Object.entries(LENGTHS).map(([name, rest]) =>
      rawCase(name, `${JSON_POST}${rest}`, 400, 413),
    ),
    ...upgrades,
    {
      ...rawCase('a truncated body', `${JSON_POST}Content-Length: 99\r\n\r\n{"identifier":`),
      end: true,
    },
    rawCase('headers of 20 KB', get('/api/user', `X-Odd: ${'a'.repeat(20_000)}\r\n`), 431),
    rawCase('cookies of 20 KB', get('/api/user', `Cookie: ${'a=b; '.repeat(4_000)}\r\n`), 431),
    rawCase('a target of 20 KB', get(`/api/user?${'a'.repeat(20_000)}`), 431),
    // Node 24 refuses more than 2,000 headers.
    rawCase('2,500 headers', get('/api/user', 'a:b\r\n'.repeat(2_500)), 401, 431),
    rawCase('an unknown Expect', get('/api/user', 'Expect: wonders\r\n'), 417),
    rawCase('CONNECT', `CONNECT evil.example:80 HTTP/1.1\r\n${CLOSE}\r\n`, 405),
    rawCase('CONNECT to a path', `CONNECT /api/user HTTP/1.1\r\n${CLOSE}\r\n`, 400, 405),
    rawCase('OPTIONS *', `OPTIONS * HTTP/1.1\r\n${CLOSE}\r\n`, 404),
    rawCase('a foreign absolute URL', get('http://evil.example/api/user'), 401),
    rawCase('a javascript: URL', get('javascript:alert(1)'), 400, 404),
    rawCase('a URL of another scheme', get('foo://bar')),
    rawCase(
      'latin1 bytes in a path',
      Buffer.from(get('/api/check/username/\u00ff\u00fe'), 'latin1'),
      200,
      400,
    ),
    rawCase(
      'latin1 bytes in a header',
      Buffer.from(get('/api/user', 'X-Odd: \u00ff\r\n'), 'latin1'),
      401,
    ),
    rawCase('HTTP/1.0 without a host', 'GET /api/user HTTP/1.0\r\n\r\n', 401),
  ]
}
