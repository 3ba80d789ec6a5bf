import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROUTES } from '#gateway/routes/index'
import { buildWeekBoard } from '#scripts/testing/gateway/build-week-board'
import { useProduct } from '#scripts/testing/gateway/use-product'
import type { Visitor } from '#scripts/testing/gateway/visitor'
import type { Caller, FuzzCase } from './cases/case.ts'
import { casesFor, silentGenerators } from './cases/cases.ts'
import { fieldsOf, type SchemaField } from './cases/schema-fields.ts'
import { TARGETS, type Target } from './cases/targets.ts'
import { NO_LIMITS, newAccounts } from './harness/accounts.ts'
import { violation } from './harness/oracle.ts'
import { Sender } from './harness/sender.ts'
import { type TableDigests, tableDigests } from './harness/table-digests.ts'

const product = useProduct({ env: NO_LIMITS })
let members: Visitor[]
let sender: Sender
let sent = 0

beforeAll(async () => {
  members = await newAccounts(product, 8)
  await buildWeekBoard(product)
  sender = new Sender(product.urls[0] ?? '')
  latest = await tableDigests(product.db)
})
afterAll(() => sender.close())

const CALLERS: Caller[] = ['visitor', 'member']

/** Members take turns, so that no limit of one account hides a response. */
function cookieOf(caller: Caller): string | undefined {
  sent += 1
  return caller === 'member' ? members[sent % members.length]?.jar.header() : undefined
}

async function send(one: FuzzCase, caller: Caller): Promise<string | undefined> {
  const problem = violation(one, await sender.send(one, cookieOf(caller)))
  return problem && `${one.method} by a ${caller}, ${one.name}: ${problem}`.slice(0, 400)
}

/** A text of the right form is a key that may be spent. */
const SPENT_KEYS: Record<string, string> = { 'POST /api/commands/cancel': 'idempotency_keys' }

/** The tables that no request of the route may change. */
function fixedTables(route: string, digests: TableDigests): TableDigests {
  return Object.fromEntries(
    Object.entries(digests).filter(([table]) => table !== SPENT_KEYS[route]),
  )
}

/** Digests after the requests of the previous route: the ones before those of the next. */
let latest: TableDigests

/** Sends all cases of a route and returns the violations. */
async function fuzz(cases: FuzzCase[]): Promise<string[]> {
  const results = await Promise.all(
    cases.flatMap((one) => (one.from ? [one.from] : CALLERS).map((caller) => send(one, caller))),
  )
  return results.filter((text) => text !== undefined)
}

const fieldsIn = ({ body, query }: Target): SchemaField[] =>
  [body, query].flatMap((schema) => (schema ? fieldsOf(schema) : []))

/** Fields that no case gives an invalid value. */
function untestedFields(target: Target, cases: FuzzCase[]): string[] {
  const invalid = cases.filter(({ statuses }) => statuses).map(({ name }) => name)
  return fieldsIn(target)
    .map(({ name }) => name)
    .filter((field) => !invalid.some((name) => new RegExp(`^#\\d+ \\??${field}\\b`).test(name)))
}

it.each(TARGETS)(
  '$route rejects invalid requests without changing data',
  async (target) => {
    const cases = casesFor(target)
    expect(untestedFields(target, cases)).toEqual([])
    expect(await fuzz(cases)).toEqual([])
    const before = latest
    latest = await tableDigests(product.db)
    expect(fixedTables(target.route, latest)).toEqual(fixedTables(target.route, before))
    expect(await members[0]?.call('GET /api/user')).toMatchObject({ status: 200 })
  },
  60_000,
)

it.each(TARGETS)('$route limits the length of every text', (target) => {
  const unlimited = fieldsIn(target).filter(({ type, maxLength }) => {
    return type === 'string' && !maxLength
  })
  expect(unlimited.map(({ name }) => name)).toEqual([])
})

it('every route is fuzzed and every generator produces cases', () => {
  expect(TARGETS.map(({ route }) => route)).toEqual(Object.keys(ROUTES))
  expect(silentGenerators()).toEqual([])
})
