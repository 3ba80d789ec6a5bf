/** Bytes on a connection of their own, with the statuses that are right. */
export type BadBytes = { name: string; bytes: string | Buffer; statuses: number[]; end?: boolean }

const CLOSE = 'Host: x\r\nConnection: close\r\n'
const JSON_POST = `POST /api/login HTTP/1.1\r\n${CLOSE}Content-Type: application/json\r\n`
const UPGRADE = 'Host: x\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n'
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\n${CLOSE}${more}\r\n`

/** What is no HTTP, or none that is spoken here. */
const NO_HTTP: Record<string, string | Buffer> = {
  'a word': 'hello\r\n\r\n',
  'a greeting of TLS': Buffer.from('16030100c8010000c40303', 'hex'),
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/9.9': `GET / HTTP/9.9\r\n${CLOSE}\r\n`,
  'HTTP/0.9': 'GET /api/user\r\n\r\n',
  'a method that is none': `FOO /api/user HTTP/1.1\r\n${CLOSE}\r\n`,
  'a method in small letters': `get /api/user HTTP/1.1\r\n${CLOSE}\r\n`,
  'no target': `GET HTTP/1.1\r\n${CLOSE}\r\n`,
  'a target without a slash': get('api/user'),
  'a target with a blank': get('/api /user'),
  'a target with NUL': get('/api/user\u0000'),
  'a target that cannot be read': get('http://[::1/api/user'),
  'lines without CR': 'GET /api/user HTTP/1.1\nHost: x\n\n',
  'a header without a colon': get('/api/user', 'garbage\r\n'),
  'a header without a name': get('/api/user', ': a\r\n'),
  'a header with a blank before its colon': get('/api/user', 'X-Odd : a\r\n'),
  'a header over two lines': get('/api/user', 'X-Odd: a\r\n b\r\n c\r\u0000\r\n'),
  'a header with NUL': get('/api/user', 'X-Odd: a\u0000b\r\n'),
  'a header with an escape': get('/api/user', 'X-Odd: a\u001bb\r\n'),
  'no host': 'GET /api/user HTTP/1.1\r\nConnection: close\r\n\r\n',
  'two hosts': get('/api/user', 'Host: y\r\n'),
  'a half of a request': `${JSON_POST}Content-Length: 2\r\n`,
  noise: Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 7_919) % 256)),
}

/** Lengths that lie, and chunks that are none. */
const LENGTHS: Record<string, string> = {
  'a length that is no number': 'Content-Length: two\r\n\r\n{}',
  'a length below zero': 'Content-Length: -2\r\n\r\n{}',
  'a length with a sign': 'Content-Length: +2\r\n\r\n{}',
  'a length in hexadecimal': 'Content-Length: 0x2\r\n\r\n{}',
  'a length beyond numbers': `Content-Length: ${'9'.repeat(40)}\r\n\r\n{}`,
  'two lengths': 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  'two lengths in one': 'Content-Length: 2, 3\r\n\r\n{}',
  'a length and chunks': 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  'a coding that is none': 'Transfer-Encoding: wonders\r\n\r\n{}',
  'chunks and more': 'Transfer-Encoding: chunked, gzip\r\n\r\n{}',
  'chunks by half': 'Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'a chunk without a size': 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'a chunk below zero': 'Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n',
  'a chunk beyond numbers': `Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n{}`,
  'a chunk longer than it says': 'Transfer-Encoding: chunked\r\n\r\n2\r\n{"a":1}\r\n0\r\n\r\n',
  'an extension of 100 KB': `Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(100_000)}\r\n{}\r\n`,
}

/** What a client must hear on its own connection before that is closed. */
export function badBytes(): BadBytes[] {
  const refused = (name: string, bytes: string | Buffer, ...statuses: number[]) => ({
    ...{ name, bytes, statuses: statuses.length > 0 ? statuses : [400] },
  })
  const upgrades = ['/', '/api/user', '/socket.io', '/socket.ioo/', '//socket.io/'].flatMap(
    (path) => [
      refused(
        `a socket at ${path}`,
        `GET ${path} HTTP/1.1\r\n${UPGRADE}Upgrade: websocket\r\n${KEY}\r\n`,
      ),
      refused(`HTTP/2 at ${path}`, `GET ${path} HTTP/1.1\r\n${UPGRADE}Upgrade: h2c\r\n\r\n`),
    ],
  )
  return [
    ...Object.entries(NO_HTTP).map(([name, bytes]) => ({ ...refused(name, bytes), end: true })),
    ...Object.entries(LENGTHS).map(([name, rest]) =>
      refused(name, `${JSON_POST}${rest}`, 400, 413),
    ),
    ...upgrades,
    refused('a body that is cut off', `${JSON_POST}Content-Length: 99\r\n\r\n{"identifier":`),
    refused('headers of 20 KB', get('/api/user', `X-Odd: ${'a'.repeat(20_000)}\r\n`), 431),
    refused('cookies of 20 KB', get('/api/user', `Cookie: ${'a=b; '.repeat(4_000)}\r\n`), 431),
    refused('an address of 20 KB', get(`/api/user?${'a'.repeat(20_000)}`), 431),
    refused('2,500 headers', get('/api/user', 'a:b\r\n'.repeat(2_500)), 401),
    refused('an expectation', get('/api/user', 'Expect: wonders\r\n'), 417),
    refused('a tunnel', `CONNECT evil.example:80 HTTP/1.1\r\n${CLOSE}\r\n`, 405),
    refused('a tunnel to a path', `CONNECT /api/user HTTP/1.1\r\n${CLOSE}\r\n`, 400, 405),
    refused('all of the server', `OPTIONS * HTTP/1.1\r\n${CLOSE}\r\n`, 404),
    refused('another site', get('http://evil.example/api/user'), 401),
    refused('another scheme', get('javascript:alert(1)'), 400, 404),
    refused(
      'bytes in a path',
      Buffer.from(get('/api/check/username/\u00ff\u00fe'), 'latin1'),
      200,
      400,
    ),
    refused('bytes in a header', Buffer.from(get('/api/user', 'X-Odd: \u00ff\r\n'), 'latin1'), 401),
    refused('the old protocol without a host', 'GET /api/user HTTP/1.0\r\n\r\n', 401),
  ].map((one) => (one.name.endsWith('cut off') ? { ...one, end: true } : one))
}
