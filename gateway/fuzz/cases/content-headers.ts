import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { OWN_ORIGIN, type RouteCase } from './case.ts'
import type { Target } from './targets.ts'

const OTHER_TYPES = [
  'text/plain',
  'text/json',
  'text/html',
  'application/xml',
  'application/jsonp',
  'json',
  '*/*',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/json-patch+json',
  'application/vnd.api+json',
  'garbage',
  ';',
  'application/',
  '/json',
  'application/json/json',
  `a/${'b'.repeat(2_000)}`,
]

const INVALID_JSON: Record<string, string | Buffer> = {
  ...Object.fromEntries(
    [
      '{',
      '}',
      '[',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{"a":1}}',
      '{"a":1}{"b":2}',
      '{a:1}',
      "{'a':1}",
      '{"a":01}',
      '{"a":+1}',
      '{"a":.5}',
      '{"a":NaN}',
      '{"a":Infinity}',
      '{"a":0x1}',
      '{"a":"\u0001"}',
      '{"a":"\\x41"}',
      '{"a":"\\ud"}',
      '{"a":undefined}',
      '{"a":1}//',
      '<a/>',
      'nul',
      'null',
      'true',
      '7',
      '"text"',
      'undefined',
      '\u0000',
      'a=1&b=2',
      '--x\r\n\r\n--x--',
    ].map((text) => [text, text]),
  ),
  '100,000 brackets': '['.repeat(100_000),
  'UTF-16': Buffer.from('\uFEFF{"a":1}', 'utf16le'),
  'a JPEG': Buffer.from('ffd8ffe000104a464946', 'hex'),
}

const plain = Buffer.from('{"a":1}')
const ENCODED: [string, Buffer][] = [
  ['gzip', gzipSync(plain)],
  // Its end, which cannot be decompressed, comes after the limit of a body.
  ['gzip', gzipSync('a'.repeat(270_000)).subarray(0, -8)],
  ['br', brotliCompressSync('a'.repeat(270_000)).subarray(0, -4)],
  ['deflate', deflateSync('a'.repeat(270_000)).subarray(0, -4)],
  ...['gzip', 'br', 'deflate', 'zstd', 'compress', 'rot13', 'gzip, gzip', 'x-gzip', '*', ','].map(
    (coding): [string, Buffer] => [coding, plain],
  ),
  ['gzip', gzipSync(plain).subarray(0, 12)],
  ['gzip', brotliCompressSync(plain)],
  ['gzip', gzipSync('not json')],
  ['deflate', deflateSync(plain).subarray(0, 5)],
  ['br', brotliCompressSync(plain).subarray(0, 4)],
  ['br', gzipSync(plain)],
]

/** Origins that must not change anything. */
const FOREIGN_ORIGINS = [
  'null',
  'https://evil.example',
  'http://',
  'http:',
  'file://',
  'javascript:alert(1)',
  '*',
  'http://127.0.0.1',
  'http://127.0.0.1:1',
  'http://localhost.evil.example',
  'http://[::1',
  `${OWN_ORIGIN}.evil.example`,
  `${OWN_ORIGIN}@evil.example`,
  `${OWN_ORIGIN}, ${OWN_ORIGIN}`,
  `${OWN_ORIGIN} https://evil.example`,
  'x'.repeat(5_000),
]

/** Bodies whose type, encoding, syntax or size no route accepts. */
export function contentCases({ method, isUpload, takesEffect, validBody }: Target): RouteCase[] {
  if (isUpload) return []
  const types = [...OTHER_TYPES, undefined].map((type) => ({
    name: `a body of the type ${type}`.slice(0, 60),
    body: '{"a":1}',
    headers: { 'Content-Type': type },
    statuses: [415],
  }))
  // The body of a GET is ignored.
  if (method === 'GET') return takesEffect ? types : [...types, ...IGNORED_BODIES]
  const invalidJson = Object.entries(INVALID_JSON).map(([name, body]) => {
    return { name: `invalid JSON: ${name}`, body, statuses: [400] }
  })
  const compressed = ENCODED.map(([coding, body], at) => ({
    name: `body ${at} with the encoding ${coding}`,
    body,
    statuses: [415],
    headers: { 'Content-Encoding': coding },
  }))
  const tooLarge = { body: `{"a":"${'b'.repeat(300_000)}"}`, statuses: [413] }
  return [
    ...types,
    ...invalidJson,
    ...compressed,
    { ...tooLarge, name: '300 KB' },
    { ...tooLarge, name: '300 KB in chunks', headers: { 'Transfer-Encoding': 'chunked' } },
    ...(validBody && validBody !== '{}' ? [{ name: 'no body', statuses: [400] }] : []),
  ]
}

const IGNORED_BODIES = ['{', '[]', '{"memberId":1}', 'x'.repeat(300_000)].map((body) => {
  return { name: `a GET with a body: ${body.slice(0, 20)}`, body }
})

/** Cross-site requests, which every route that changes data must reject. */
export function originCases({ method, validBody, takesEffect, isUpload }: Target): RouteCase[] {
  if (method === 'GET' && !takesEffect) return []
  const sent = { ...(validBody && { body: validBody }), statuses: [403] }
  const type = isUpload ? { 'Content-Type': 'multipart/form-data; boundary=x' } : {}
  const named = FOREIGN_ORIGINS.map((origin) => ({
    ...sent,
    name: `from ${origin.slice(0, 40)}`,
    headers: { ...type, Origin: origin },
  }))
  if (isUpload) return named
  const sites = ['cross-site', 'same-site', 'garbage', ''].map((site) => ({
    ...sent,
    name: `Sec-Fetch-Site: ${site || 'empty'}`,
    headers: { Origin: undefined, 'Sec-Fetch-Site': site },
  }))
  return [...named, ...sites]
}
