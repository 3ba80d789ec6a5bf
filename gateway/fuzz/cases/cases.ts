import { BODY_GENERATORS } from './bodies.ts'
import type { FuzzCase, RouteCase } from './case.ts'
import { contentCases, originCases } from './content-headers.ts'
import { headerCases, idempotencyKeyCases, methodCases, pathCases } from './methods-and-paths.ts'
import { extraQueryCases, paramCases, queryCases } from './params-and-queries.ts'
import { TARGETS, type Target } from './targets.ts'

/** `FUZZ=all` sends each case to every route and from both callers, which takes twice the time. */
const ALL = process.env.FUZZ === 'all'
/** One in this many cases that do not depend on the route is sent to each. */
const SHARE = ALL ? 1 : 3

const turn = (at: number) => ({ from: at % 2 ? 'visitor' : 'member' }) as const

function bodyCases({ body, takesEffect }: Target): RouteCase[] {
  if (!body) return []
  return BODY_GENERATORS.flatMap((generate) => generate(body))
    .filter(({ isInvalid }) => isInvalid || !takesEffect)
    .map(({ name, text, isInvalid }, at) => ({
      name,
      body: text,
      // A valid body can cost a password hash, so only one caller sends it.
      ...((!ALL || !isInvalid) && turn(at)),
      ...(isInvalid && { statuses: [400], code: 'bad_input' }),
    }))
}

type Generator = (target: Target) => RouteCase[]

const GENERATORS: Generator[] = [bodyCases, queryCases, paramCases, idempotencyKeyCases]
/**
 * Their responses do not depend on the caller, nor on the route's own code: each case is sent by one of
 * the two callers, in turn, and each route gets a share of the cases.
 */
const ROUTE_INDEPENDENT: Generator[] = [
  extraQueryCases,
  contentCases,
  methodCases,
  pathCases,
  headerCases,
  originCases,
]

export function casesFor(target: Target): FuzzCase[] {
  const cases = GENERATORS.flatMap((generate) => generate(target))
  const first = TARGETS.indexOf(target)
  // The shares of three neighbours among the routes are all cases.
  const shared = ROUTE_INDEPENDENT.flatMap((generate) =>
    generate(target).filter((_, at) => (at + first) % SHARE === 0),
  ).map((one, at): RouteCase => ({ ...turn(at), ...one }))
  return [...cases, ...shared].map((one, at) => ({
    method: target.method,
    path: target.path(),
    ...one,
    name: `#${at} ${one.name}`,
    headers: {
      ...(one.body !== undefined && { 'Content-Type': 'application/json' }),
      ...one.headers,
    },
  }))
}

/** Generators that produce no case for any route: a broken one must not pass for a clean run. */
export function silentGenerators(): string[] {
  const schemas = TARGETS.flatMap(({ body }) => body ?? [])
  const silent = [
    ...[...GENERATORS, ...ROUTE_INDEPENDENT].filter((generate) =>
      TARGETS.every((target) => generate(target).length === 0),
    ),
    ...BODY_GENERATORS.filter((generate) => schemas.every((one) => generate(one).length === 0)),
  ]
  return silent.map(({ name }) => name)
}
