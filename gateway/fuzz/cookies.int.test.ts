import { afterAll, beforeAll, expect, it } from 'vitest'
import { useProduct } from '#scripts/testing/gateway/use-product'
import type { Visitor } from '#scripts/testing/gateway/visitor'
import type { FuzzCase } from './cases/case.ts'
import { TARGETS, type Target } from './cases/targets.ts'
import { NO_LIMITS, newAccounts } from './harness/accounts.ts'
import { violation } from './harness/oracle.ts'
import { Sender } from './harness/sender.ts'
import { type TableDigests, tableDigests } from './harness/table-digests.ts'

const product = useProduct({ env: NO_LIMITS })
let member: Visitor
let sender: Sender
/** The status of each request without a cookie. */
const plain = new Map<string, number>()
/** Digests after the requests of the previous route: the ones before those of the next. */
let latest: TableDigests

beforeAll(async () => {
  const [first] = await newAccounts(product, 1)
  if (first) member = first
  sender = new Sender(product.urls[0] ?? '')
  for (const target of TARGETS) {
    plain.set(target.route, (await sender.send(requestOf(target))).status)
  }
  latest = await tableDigests(product.db)
})
afterAll(() => sender.close())

/** Variants of the cookies of a signed-in member, none of which is valid. */
function forged(id: string, signature: string): string[] {
  const other = signature.startsWith('A') ? 'B' : 'A'
  return [
    `tesp=${id}`,
    `tesp.sig=${signature}`,
    `tesp=${id}; tesp.sig=`,
    `tesp=${id}; tesp.sig=${other}${signature.slice(1)}`,
    `tesp=${id}; tesp.sig=${signature.slice(0, -1)}`,
    `tesp=${id}; tesp.sig=${'a'.repeat(4_000)}`,
    `tesp=${id.toLowerCase()}; tesp.sig=${signature}`,
    `tesp=${id}x; tesp.sig=${signature}`,
    `tesp="${id} "; tesp.sig="${signature}"`,
    `Tesp=${id}; Tesp.sig=${signature}`,
    `__Host-tesp=${id}; __Host-tesp.sig=${signature}`,
    `tesp=x; tesp=${id}; tesp.sig=x; tesp.sig=${signature}`,
    'tesp=__proto__; tesp.sig=constructor',
    `tesp=${Buffer.from('{"memberId":1}').toString('base64')}; tesp.sig=${signature}`,
    'tesp=../../*; tesp.sig=%00%0d%0a',
    '=; ;;; =tesp; tesp; tesp.sig',
    `${'a=b; '.repeat(1_500)}tesp=y`,
    `tesp=${'\u00ff'.repeat(50)}`,
  ]
}

const requestOf = ({ route, method, path, body }: Target): FuzzCase => ({
  name: route,
  method,
  path: path(),
  ...(body && { body: '{}', headers: { 'Content-Type': 'application/json' } }),
})

it.each(TARGETS)('$route treats forged cookies as no cookie', async (target) => {
  const request = requestOf(target)
  const cookies = forged(member.jar.get('tesp') ?? '', member.jar.get('tesp.sig') ?? '')
  const responses = await Promise.all(cookies.map((cookie) => sender.send(request, cookie)))
  const outcomes = responses.map((response, at) => {
    return `${cookies[at]?.slice(0, 60)}: ${violation(request, response) ?? response.status}`
  })
  const expected = plain.get(target.route)
  expect(outcomes).toEqual(cookies.map((cookie) => `${cookie.slice(0, 60)}: ${expected}`))
  const before = latest
  latest = await tableDigests(product.db)
  expect(latest).toEqual(before)
})

it('the cookies behind the forgeries sign a member in', async () => {
  const request = { name: 'current user', method: 'GET', path: '/api/user' }
  expect((await sender.send(request)).status).toBe(401)
  expect((await sender.send(request, member.jar.header())).status).toBe(200)
})
