import type Koa from 'koa'
import {
  type Answers,
  type BodyOf,
  IDEMPOTENCY_HEADER,
  type ParamsOf,
  type QueryOf,
  type RouteName,
} from '#contract/routes'
import { runOnce } from '#db/ledger/idempotency'
import { lockMemberShared, type SignIn } from '#db/members/member-lock'
import { inTransaction, type Tx } from '#db/postgres/transaction'
import type { Topic } from '#db/process/change-channel'
import { authSession } from '#gateway/auth/auth-session'
import type { Services } from '#gateway/services/services'
import { RuleError } from '#rules/rule-error'
import { BadInput } from './errors.ts'
import type { NOT_MODIFIED } from './etag.ts'
import type { JsonStream } from './json-stream.ts'
import { bodyOf, paramsOf, queryOf } from './validate.ts'

/** What every handler gets: the services and the narrowed input of its route. */
export type Call<R extends RouteName> = {
  services: Services
  ctx: Koa.Context
  body: BodyOf<R>
  query: QueryOf<R>
  params: Record<ParamsOf<R>, string>
}

type Answer<R extends RouteName> = Promise<Answers[R] | typeof NOT_MODIFIED | JsonStream>

/** A route's code, from a request to the body of its answer. */
export type RouteHandler<R extends RouteName> = (call: Call<R>) => Answer<R>

/** Reads the input of a route from its request. */
export function callOf<R extends RouteName>(services: Services, ctx: Koa.Context, route: R) {
  const params = paramsOf(ctx) as Record<ParamsOf<R>, string>
  const call: Call<R> = {
    ...{ services, ctx, params },
    ...{ body: bodyOf(ctx, route), query: queryOf(ctx, route) },
  }
  return call
}

/**
 * The sign-in whose request this is: of a member, not expired, and of the current epoch.
 * @throws {RuleError} `not_signed_in`
 */
export async function signInOf({ db }: Services, ctx: Koa.Context): Promise<SignIn> {
  const { memberId, epoch } = authSession(ctx)
  const current =
    memberId === undefined
      ? undefined
      : await db('users').where({ id: memberId }).first('authEpoch')
  if (memberId === undefined || !current || current.authEpoch !== epoch) {
    throw new RuleError('not_signed_in', 'Please sign in')
  }
  return { memberId, epoch }
}

/** The member of that sign-in. */
export async function memberOf(services: Services, ctx: Koa.Context): Promise<number> {
  return (await signInOf(services, ctx)).memberId
}

/** A route that reads for the signed-in member. */
export function signedIn<R extends RouteName>(
  handle: (call: Call<R> & { memberId: number }) => Answer<R>,
): RouteHandler<R> {
  return async (call) => handle({ ...call, memberId: await memberOf(call.services, call.ctx) })
}

function idempotencyKey(ctx: Koa.Context): string | undefined {
  const key = ctx.get(IDEMPOTENCY_HEADER)
  if (key && !/^[\w.~-]{8,128}$/.test(key)) throw new BadInput('Idempotency-Key is not usable')
  return key || undefined
}

/**
 * A command whose sender hung up before its turn is not begun: the sender asks again, and what waited
 * in a process that stood still would take effect long after it was answered elsewhere.
 * @throws {BadInput} that nobody hears
 */
function assertClientConnected(ctx: Koa.Context): void {
  if (ctx.req.socket.destroyed) throw new BadInput('The request was given up')
}

/**
 * A route that changes something of the signed-in member: one transaction, one effect for an
 * `Idempotency-Key`, and after the commit a word to the gateways about what changed.
 */
export function command<R extends RouteName>(
  topics: Topic[],
  execute: (call: Call<R> & { memberId: number; tx: Tx }) => Promise<Answers[R]>,
): RouteHandler<R> {
  return async (call) => {
    const { services, ctx } = call
    const signIn = await signInOf(services, ctx)
    const { memberId } = signIn
    await services.limits.use('command-member', String(memberId))
    const key = idempotencyKey(ctx)
    const route = `${ctx.method} ${ctx.path}`
    const answer = await services.memberMutex.run(memberId, () =>
      inTransaction(services.db, async (tx) => {
        assertClientConnected(ctx)
        await lockMemberShared(tx, signIn)
        const run = () => execute({ ...call, memberId, tx })
        return key ? runOnce(tx, { memberId, key, route }, run) : run()
      }),
    )
    await services.changes.publishMembers([memberId], topics)
    return answer
  }
}
