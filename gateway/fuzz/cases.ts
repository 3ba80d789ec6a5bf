import { badBodies } from './bodies.ts'
import type { BadRequest } from './case.ts'
import { badEnvelopes, badOrigins } from './content-headers.ts'
import { badHeaders, badKeys, badMethods, badPaths } from './methods-and-paths.ts'
import { badParams, badQueries, needlessQueries } from './params-and-queries.ts'
import { TARGETS, type Target } from './targets.ts'

/** Bodies against a route's schema. What breaks it is refused; the rest is sent by one of the two. */
function bodiesFor({ body, method, path, takesEffect }: Target): BadRequest[] {
  if (!body) return []
  return badBodies(body)
    .filter(({ breaks }) => breaks || !takesEffect)
    .map(({ name, text, breaks }, at) => ({
      ...{ name, method, path: path(), body: text },
      headers: { 'Content-Type': 'application/json' },
      // A fine body costs a password's hash: one sender is enough.
      ...(breaks
        ? { statuses: [400], code: 'bad_input' }
        : { from: at % 2 ? 'visitor' : 'member' }),
    }))
}

/** Whoever sends these, the same is wrong with them: each comes from one of the two. */
function bySomebody(requests: BadRequest[]): BadRequest[] {
  return requests.map((request, at) => ({ from: at % 2 ? 'visitor' : 'member', ...request }))
}

/** Everything that a route must bear, made from its name and its schemas. */
export function badRequestsFor(target: Target): BadRequest[] {
  const requests = [
    ...bodiesFor(target),
    ...badQueries(target),
    ...badParams(target),
    ...badOrigins(target),
    ...badKeys(target),
    ...bySomebody([
      ...needlessQueries(target),
      ...badEnvelopes(target),
      ...badMethods(target, TARGETS),
      ...badPaths(target),
      ...badHeaders(target),
    ]),
  ]
  return requests.map((request, at) => ({ ...request, name: `#${at} ${request.name}` }))
}
