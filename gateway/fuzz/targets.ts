import type { AnyObjectSchema } from 'yup'
import { bodies, queries, type RouteName } from '#contract/routes'
import { handlers } from '#gateway/routes/index'
import { fineBody } from './bodies.ts'

/** A route as a target: all that its name and its schemas say. */
export type Target = {
  route: RouteName
  method: string
  /** Names of the path parameters. */
  params: string[]
  /** The path with these parameters, fine ones where they are absent; taken as they stand. */
  path(params?: Record<string, string>): string
  body: AnyObjectSchema | undefined
  query: AnyObjectSchema | undefined
  /** A body that fits and concerns nobody, for a route that takes one. */
  fine: string | undefined
  /** Whether a request that is fine changes something: then only what is refused can be sent. */
  takesEffect: boolean
  isUpload: boolean
}

/** A GET that pays. */
const CHANGING_READS: readonly RouteName[] = ['GET /api/referral/check-milestones']
/** A body that fits sends a mail, to whomever. */
const MAILS: readonly RouteName[] = ['POST /api/verify/send-otp', 'POST /api/password/forgot']

const schemaIn = (schemas: Partial<Record<RouteName, AnyObjectSchema>>, route: RouteName) =>
  schemas[route]

function targetOf(route: RouteName): Target {
  const [method = '', pattern = ''] = route.split(' ')
  const body = schemaIn(bodies, route)
  const changes = method !== 'GET' || CHANGING_READS.includes(route)
  return {
    route,
    method,
    params: [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name ?? ''),
    path: (params = {}) => pattern.replace(/:(\w+)/g, (_, name) => params[name] ?? 'nobody.here'),
    body,
    query: schemaIn(queries, route),
    fine: body && fineBody(body),
    takesEffect: changes && (!body || MAILS.includes(route)),
    isUpload: route === 'POST /api/user/kyc',
  }
}

/** Every route that the gateway serves. */
export const TARGETS: readonly Target[] = (Object.keys(handlers) as RouteName[]).map(targetOf)
