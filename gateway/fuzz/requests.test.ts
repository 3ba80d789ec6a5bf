import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handlers } from '#gateway/routes/index'
import { type Product, startProduct } from '#gateway/testing/product'
import type { Visitor } from '#gateway/testing/visitor'
import { NO_LIMITS, newCrowd } from './accounts.ts'
import { type BadRequest, type Sender as From, sendersOf } from './case.ts'
import { badRequestsFor } from './cases.ts'
import { problemOf } from './oracle.ts'
import { fieldsOf } from './schema-fields.ts'
import { Sender } from './sender.ts'
import { tableDigests } from './table-digests.ts'
import { TARGETS, type Target } from './targets.ts'

/** Each route gets so many at least, counting both senders. */
const LEAST = 60
/** So many of them are to be refused, and more for each field. */
const LEAST_REFUSED = 25
let product: Product
let crowd: Visitor[]
let sender: Sender
let turn = 0

beforeAll(async () => {
  product = await startProduct({ env: NO_LIMITS })
  crowd = await newCrowd(product, 8)
  sender = new Sender(product.urls[0] ?? '')
})
afterAll(async () => {
  sender.close()
  await product.close()
})

function cookieOf(from: From): string | undefined {
  turn += 1
  return from === 'member' ? crowd[turn % crowd.length]?.jar.header() : undefined
}

type Case = { request: BadRequest; from: From }
const casesOf = (target: Target): Case[] =>
  badRequestsFor(target).flatMap((request) => sendersOf(request).map((from) => ({ request, from })))

/** Sends all at once and tells of each that was answered badly. */
async function problemsOf(cases: Case[]): Promise<string[]> {
  const told = await Promise.all(
    cases.map(async ({ request, from }) => {
      const problem = problemOf(request, await sender.send(request, cookieOf(from)))
      return problem && `${request.method} by a ${from}, ${request.name}: ${problem}`.slice(0, 400)
    }),
  )
  return told.filter((problem) => problem !== undefined)
}

describe.each(TARGETS)('$route', (target) => {
  const cases = casesOf(target)

  it('bears each bad request, and nothing is changed', async () => {
    const before = await tableDigests(product.db)
    expect(await problemsOf(cases)).toEqual([])
    expect(await tableDigests(product.db)).toEqual(before)
    expect(await crowd[0]?.call('GET /api/user')).toMatchObject({ status: 200 })
  }, 60_000)

  it('gets its share of them, most of all for each field', () => {
    const refused = cases.filter(({ request }) => request.statuses)
    const body = target.body ? fieldsOf(target.body).length : 0
    const query = target.query ? fieldsOf(target.query).length : 0
    expect(cases.length).toBeGreaterThanOrEqual(LEAST)
    expect(refused.length).toBeGreaterThanOrEqual(LEAST_REFUSED + 60 * body + 15 * query)
  })

  it('takes no text without a greatest length', () => {
    const fields = [target.body, target.query].flatMap((schema) => (schema ? fieldsOf(schema) : []))
    const endless = fields.filter(({ type, longest }) => type === 'string' && !longest)
    expect(endless.map(({ name }) => name)).toEqual([])
  })
})

it('every route of the gateway is a target, with thousands of bad requests in all', () => {
  expect(TARGETS.map(({ route }) => route)).toEqual(Object.keys(handlers))
  expect(TARGETS.flatMap(casesOf).length).toBeGreaterThan(5_000)
})
