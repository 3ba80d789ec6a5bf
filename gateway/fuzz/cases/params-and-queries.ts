import type { RouteCase } from './case.ts'
import { INJECTIONS, type Named, UNICODE } from './corpus.ts'
import { fieldsOf, type SchemaField } from './schema-fields.ts'
import type { Target } from './targets.ts'

const UNUSUAL: Named = { ...INJECTIONS, ...UNICODE }

const BEYOND_32_BITS = '2147483648'

/** Texts that are not plain numbers, or numbers that no field accepts. */
const INVALID_NUMBERS = [
  '',
  ' ',
  'NaN',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  'one',
  '٣',
  '１',
  '1;--',
  "1'--",
  'Infinity',
  '-Infinity',
  '1e309',
  '1e1',
  '0x10',
  '0b1',
  '1_0',
  '1,5',
  '1.5',
  ' 1',
  '1 ',
  '+1',
  '0',
  '-0',
  '-1',
  BEYOND_32_BITS,
  '9007199254740993',
  '99999999999999999999',
  '1'.repeat(5_000),
]

/** Malformed percent-encodings, with the required status if they must be rejected. */
const MALFORMED: Record<string, number | undefined> = {
  '%': undefined,
  '%zz': undefined,
  '%u0041': undefined,
  '%c0%af': undefined,
  '%ff%fe': undefined,
  '%ed%a0%80': undefined,
  '%f0%9f%92': undefined,
  '%00': 400,
  'a%00b': 400,
}

const short = (text: string) => (text.length > 40 ? `${text.slice(0, 20)}…` : text)

function* wrongValues({
  name,
  type,
  maxLength = 0,
  accepts,
}: SchemaField): Iterable<[string, number | undefined]> {
  const isNumber = type === 'number'
  for (const [bytes, status] of Object.entries(MALFORMED)) {
    yield [`${name}=${bytes}`, isNumber ? 400 : status]
  }
  for (const text of Object.values(UNUSUAL)) {
    const fits = !isNumber && text.length <= maxLength
    yield [`${name}=${encodeURIComponent(text)}`, fits ? undefined : 400]
  }
  for (const text of INVALID_NUMBERS) {
    // Ids of some tables are 64-bit integers.
    const fits = text === BEYOND_32_BITS && accepts(Number(text))
    if (isNumber) yield [`${name}=${encodeURIComponent(text)}`, fits ? undefined : 400]
  }
  if (!isNumber) yield [`${name}=${'a'.repeat(maxLength + 1)}`, 400]
  yield [`${name}=1&${name}=2`, 400]
  yield [`${name}[]=1`, undefined]
  yield [`${name}[a]=1&${name}.b=2`, undefined]
}

export function queryCases({ query, path }: Target): RouteCase[] {
  if (!query) return []
  const values = fieldsOf(query).flatMap((field) => [...wrongValues(field)])
  return values.map(([search, status]) => ({
    name: `?${short(search)}`,
    path: `${path()}?${search}`,
    ...(status && { statuses: [status], code: 'bad_input' }),
  }))
}

export function paramCases({ params, path }: Target): RouteCase[] {
  return params.flatMap((name) => {
    const made = (text: string, statuses?: number[]): RouteCase => ({
      name: `${name} is ${short(text)}`,
      path: path({ [name]: text }),
      ...(statuses && { statuses, code: 'bad_input' }),
    })
    const unusual = Object.values(UNUSUAL).map((text) => made(encodeURIComponent(text)))
    const malformed = Object.entries(MALFORMED).map(([bytes, status]) =>
      made(bytes, status ? [status] : undefined),
    )
    const otherPaths = ['', 'a/b', '/', '..', '../user'].map((text) => made(text))
    return [...unusual, ...malformed, ...otherPaths, made('a'.repeat(7_000))]
  })
}

/** Queries that a route does not take and must ignore. */
export function extraQueryCases({ takesEffect, body, path }: Target): RouteCase[] {
  if (takesEffect || body) return []
  const searches = [
    '__proto__=1&constructor=2',
    'a[b][c]=1',
    '&&&===',
    '?',
    '%',
    '%zz',
    '#',
    'a=%00',
    '=1',
    'isAdmin=true&memberId=1&userId=1',
    'a=1&'.repeat(1_200),
    `a=${'b'.repeat(6_000)}`,
    '_method=DELETE',
    'callback=alert',
    'format=xml',
    "id=1'%20OR%201=1--",
  ]
  return searches.map((search) => {
    return { name: `an extra ?${short(search)}`, path: `${path()}?${search}` }
  })
}
