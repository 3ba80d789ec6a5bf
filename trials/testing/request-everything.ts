import { randomUUID } from 'node:crypto'
import { IDEMPOTENCY_HEADER } from '#contract/routes'
import { PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'

type RequestOutcome = { name: string; status: number; ms: number; problem?: string }

/** Time-outs of two seconds, and what a busy machine adds. */
const LIMIT_MS = 12_000

type Request = { path: string; body?: unknown }

const READS = [
  '/api/user',
  '/api/mining/status',
  '/api/wallet',
  '/api/wallet/activity',
  '/api/referral/info',
  '/api/network',
  '/readyz',
  '/healthz',
]
const MEMBER: Request[] = [
  ...READS.map((path) => ({ path })),
  { path: '/api/mining/start', body: {} },
  { path: '/api/mining/claim', body: {} },
  { path: '/api/tasks/complete', body: { taskId: 'join_telegram' } },
]

const anonymous = (identifier: string): Request[] => {
  const email = `${randomUUID()}@test.example`
  return [
    { path: '/api/login', body: { identifier, password: PASSWORD } },
    { path: '/api/login', body: { identifier, password: 'not this one' } },
    { path: '/api/verify/send-otp', body: { email } },
    { path: '/api/verify/verify-otp', body: { email, otp: '123456' } },
    { path: '/api/check/username/somebody' },
  ]
}

async function send(
  visitor: Visitor,
  gateway: number,
  { path, body }: Request,
): Promise<RequestOutcome> {
  const sentAt = Date.now()
  const name = `gateway ${gateway} ${path}`
  try {
    const response = await visitor.fetch(path, gateway, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', [IDEMPOTENCY_HEADER]: randomUUID() },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(4 * LIMIT_MS),
    })
    const { status } = response
    const { message } = (await response.json()) as { message?: unknown }
    const ms = Date.now() - sentAt
    if (ms > LIMIT_MS) return { name, status, ms, problem: 'took too long' }
    if (status >= 500 && status !== 503) return { name, status, ms, problem: String(message) }
    const hasMessage = status < 500 || typeof message === 'string' || path === '/readyz'
    return { name, status, ms, ...(hasMessage ? {} : { problem: 'no message' }) }
  } catch (error) {
    return { name, status: 0, ms: Date.now() - sentAt, problem: String(error) }
  }
}

export async function requestEverything(member: Visitor): Promise<RequestOutcome[]> {
  const { product, user } = member
  const requests = product.urls.flatMap((_, gateway) => [
    ...MEMBER.map((request) => send(member, gateway, request)),
    ...anonymous(user?.username ?? '').map((request) =>
      send(new Visitor(product), gateway, request),
    ),
  ])
  return Promise.all(requests)
}
