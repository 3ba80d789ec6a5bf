import { BODY_GENERATORS } from './bodies.ts'
import type { FuzzCase } from './case.ts'
import { contentCases, originCases } from './content-headers.ts'
import { headerCases, idempotencyKeyCases, methodCases, pathCases } from './methods-and-paths.ts'
import { extraQueryCases, paramCases, queryCases } from './params-and-queries.ts'
import { TARGETS, type Target } from './targets.ts'

/** Bodies against a route's schema: invalid ones from both callers, valid ones from one. */
function bodyCases({ body, method, path, takesEffect }: Target): FuzzCase[] {
  if (!body) return []
  return BODY_GENERATORS.flatMap((generate) => generate(body))
    .filter(({ isInvalid }) => isInvalid || !takesEffect)
    .map(({ name, text, isInvalid }, at) => ({
      name,
      method,
      path: path(),
      body: text,
      headers: { 'Content-Type': 'application/json' },
      // A valid body can cost a password hash, so only one caller sends it.
      ...(isInvalid
        ? { statuses: [400], code: 'bad_input' }
        : { from: at % 2 ? 'visitor' : 'member' }),
    }))
}

type Generator = (target: Target) => FuzzCase[]

const GENERATORS: Generator[] = [
  bodyCases,
  queryCases,
  paramCases,
  originCases,
  idempotencyKeyCases,
]
/** Their responses do not depend on the caller: each case is sent by one of the two, in turn. */
const CALLER_INDEPENDENT: Generator[] = [
  extraQueryCases,
  contentCases,
  methodCases,
  pathCases,
  headerCases,
]

/** All cases of a route, generated from its name and schemas. */
export function casesFor(target: Target): FuzzCase[] {
  const cases = GENERATORS.flatMap((generate) => generate(target))
  const alternating = CALLER_INDEPENDENT.flatMap((generate) => generate(target)).map(
    (one, at): FuzzCase => ({ from: at % 2 ? 'visitor' : 'member', ...one }),
  )
  return [...cases, ...alternating].map((one, at) => ({ ...one, name: `#${at} ${one.name}` }))
}

/** Generators that produce no case for any route: a broken one must not pass for a clean run. */
export function silentGenerators(): string[] {
  const schemas = TARGETS.flatMap(({ body }) => body ?? [])
  const silent = [
    ...[...GENERATORS, ...CALLER_INDEPENDENT].filter((generate) =>
      TARGETS.every((target) => generate(target).length === 0),
    ),
    ...BODY_GENERATORS.filter((generate) => schemas.every((one) => generate(one).length === 0)),
  ]
  return silent.map(({ name }) => name)
}
