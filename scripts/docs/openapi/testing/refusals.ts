import { expect, it } from 'vitest'
import type { AnyObjectSchema } from 'yup'
import { bodies, type RouteName } from '#contract/routes'
import { minimalBody } from '#gateway/fuzz/cases/bodies'
import type { RouteFacts, Routes } from '#gateway/http/route'
import { accountRoutes } from '#gateway/routes/account'
import { passkeyRoutes } from '#gateway/routes/passkeys'
import { passwordRoutes } from '#gateway/routes/password'
import { secondFactorRoutes } from '#gateway/routes/second-factor'
import { signUpRoutes } from '#gateway/routes/sign-up'
import type { RuleCode } from '#rules/rule-error'
import type { CallOptions, Visitor } from '#scripts/testing/gateway/visitor'
import { readJson } from '#scripts/testing/read-file'

const { 'GET /api/user': _user, ...signInRoutes } = accountRoutes
const { 'POST /api/user/password': _change, ...resetRoutes } = passwordRoutes

/** The routes of sign-in-refusals.int.test.ts; refusals.int.test.ts has all others. */
export const SIGN_IN_ROUTES: Partial<Routes> = {
  ...signInRoutes,
  ...resetRoutes,
  ...signUpRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
}

/** The smallest body that passes the form of a route; undefined if it takes none. */
export const bodyOf = (route: RouteName) => {
  const schema = (bodies as Partial<Record<RouteName, AnyObjectSchema>>)[route]
  return schema && minimalBody(schema)
}

type Response = { description?: string }
type Document = { paths: Record<string, Record<string, { responses: Record<string, Response> }>> }

const PARAMS = { username: 'somebody', email: 'somebody@test.example', code: 'TESPABC234' }
const { paths }: Document = readJson('docs/openapi.json')

/** The description of a status of a route in docs/openapi.json. */
function documented(route: RouteName, status: number): string {
  const [method = '', url = ''] = route.split(' ')
  const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  return operation?.responses[status]?.description ?? ''
}

/** The refusals that the tests of one file provoke. */
export class Refusals {
  /** Each route and code. */
  private readonly provoked = new Set<string>()

  /** Calls a route and expects a refusal of this code that docs/openapi.json holds. */
  readonly expect = async (
    who: Visitor,
    route: RouteName,
    code: RuleCode,
    options: CallOptions = {},
  ): Promise<void> => {
    const { status, body } = await who.call(route, { params: PARAMS, ...options })
    expect({ route, code: body.code }).toEqual({ route, code })
    expect(documented(route, status), `${status}`).toContain(`\`${code}\``)
    this.provoked.add(`${route} ${code}`)
  }

  /** The last test of the file: every code of these routes was provoked, except for rate limits. */
  expectAll(routes: Partial<Routes>): void {
    it('every documented code of a route was provoked, except for rate limits', () => {
      const facts = Object.entries(routes) as [RouteName, RouteFacts][]
      const codes = facts.flatMap(([route, { errors = [] }]) =>
        errors.filter((code) => code !== 'too_many_requests').map((code) => `${route} ${code}`),
      )
      expect(codes.filter((code) => !this.provoked.has(code))).toEqual([])
    })
  }
}
