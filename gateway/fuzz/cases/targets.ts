import type { AnyObjectSchema } from 'yup'
import { bodies, queries, type RouteName } from '#contract/routes'
import { schemaOf } from '#gateway/http/validate'
import { ROUTES } from '#gateway/routes/index'
import { minimalBody } from './bodies.ts'

export type Target = {
  route: RouteName
  method: string
  /** Names of the path parameters. */
  params: string[]
  /** The path with these parameters, unescaped; missing ones get a valid value. */
  path(params?: Record<string, string>): string
  body: AnyObjectSchema | undefined
  query: AnyObjectSchema | undefined
  /** A valid body that matches no member, if the route takes a body. */
  validBody: string | undefined
  /** Whether a valid request changes data: then only cases that must be rejected are sent. */
  takesEffect: boolean
  isUpload: boolean
}

/** GET routes that change data: this one pays milestones. */
const CHANGING_READS: readonly RouteName[] = ['GET /api/referral/check-milestones']
/** Routes that send a mail for any valid body. */
const MAILING: readonly RouteName[] = ['POST /api/verify/send-otp', 'POST /api/password/forgot']
/** Routes that store any valid body. */
const STORING: readonly RouteName[] = [
  'POST /api/reminders/mail',
  'POST /api/reminders/push',
  'POST /api/reminders/team',
  'POST /api/reminders/team/block',
  'POST /api/referral/week',
]

function targetOf(route: RouteName): Target {
  const [method = '', pattern = ''] = route.split(' ')
  const body = schemaOf(bodies, route)
  const changes = method !== 'GET' || CHANGING_READS.includes(route)
  return {
    route,
    method,
    params: [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ''),
    path: (params = {}) => pattern.replace(/:(\w+)/g, (_, name) => params[name] ?? 'nobody.here'),
    body,
    query: schemaOf(queries, route),
    validBody: body && minimalBody(body),
    takesEffect: changes && (!body || [...MAILING, ...STORING].includes(route)),
    isUpload: route === 'POST /api/user/kyc',
  }
}

export const TARGETS: readonly Target[] = (Object.keys(ROUTES) as RouteName[]).map(targetOf)
