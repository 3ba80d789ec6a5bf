import { randomUUID } from 'node:crypto'
import { IDEMPOTENCY_HEADER } from '#contract/routes'
import { PASSWORD, Visitor } from '#gateway/testing/visitor'

/** One answer: how long it took, and what is wrong with it, if anything is. */
export type Asked = { name: string; status: number; ms: number; problem?: string }

const LIMIT_MS = 5_000

type Request = { path: string; body?: unknown }

/** What a member's page and a stranger's may ask at any moment. */
const MEMBERS: Request[] = [
  ...['/api/user', '/api/mining/status', '/api/wallet', '/api/wallet/activity'],
  ...['/api/referral/info', '/api/network', '/readyz', '/healthz'],
].map((path) => ({ path }))
const PRESSES: Request[] = [
  { path: '/api/mining/start', body: {} },
  { path: '/api/mining/claim', body: {} },
  { path: '/api/tasks/complete', body: { taskId: 'join_telegram' } },
]

async function ask(visitor: Visitor, gateway: number, { path, body }: Request): Promise<Asked> {
  const askedAt = Date.now()
  const name = `gateway ${gateway} ${path}`
  try {
    const response = await visitor.fetch(path, gateway, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', [IDEMPOTENCY_HEADER]: randomUUID() },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(4 * LIMIT_MS),
    })
    const { status } = response
    const answer = (await response.json()) as { message?: unknown }
    const ms = Date.now() - askedAt
    const isPlain = status < 500 || typeof answer.message === 'string' || path === '/readyz'
    if (ms > LIMIT_MS) return { name, status, ms, problem: 'took too long' }
    if (status >= 500 && status !== 503)
      return { name, status, ms, problem: String(answer.message) }
    return { name, status, ms, ...(isPlain ? {} : { problem: 'no message' }) }
  } catch (error) {
    return { name, status: 0, ms: Date.now() - askedAt, problem: String(error) }
  }
}

/** Asks both gateways for everything at once, as a member and as somebody who is not signed in. */
export async function askEverything(member: Visitor): Promise<Asked[]> {
  const identifier = member.user?.username ?? ''
  const email = `${randomUUID()}@test.example`
  const strangers: Request[] = [
    { path: '/api/login', body: { identifier, password: PASSWORD } },
    { path: '/api/login', body: { identifier, password: 'not this one' } },
    { path: '/api/verify/send-otp', body: { email } },
    { path: '/api/verify/verify-otp', body: { email, otp: '123456' } },
    { path: '/api/check/username/somebody' },
  ]
  const asked = member.product.urls.flatMap((_, gateway) => [
    ...[...MEMBERS, ...PRESSES].map((request) => ask(member, gateway, request)),
    ...strangers.map((request) => ask(new Visitor(member.product), gateway, request)),
  ])
  return Promise.all(asked)
}
