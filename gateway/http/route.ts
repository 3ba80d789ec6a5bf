import type Koa from 'koa'
import { IDEMPOTENCY_KEY } from '#contract/forms/commands'
import {
  type Answers,
  type BodyOf,
  IDEMPOTENCY_HEADER,
  type ParamsOf,
  type QueryOf,
  type RouteName,
} from '#contract/routes'
import type { MiningCommand } from '#db/engine/engine'
import { assertSignedIn, executeOnce, notSignedIn, type SignIn } from '#db/members/execute-once'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { authSession } from '#gateway/auth/auth-session'
import { causeOf, type Services, servicesFor } from '#gateway/services/services'
import type { RuleCode } from '#rules/rule-error'
import type { Change, Topic } from '#runtime/pubsub'
import { BadInput } from './errors.ts'
import { REQUEST_ID_HEADER } from './request-ids.ts'
import { bodyOf, paramsOf, queryOf } from './validate.ts'

/** 304: the client has this state already (`isFresh`). A handler returns this result instead of an answer. */
export function notModified(ctx: Koa.Context): undefined {
  // Like `securityHeaders`, keeps a 304 under 300 bytes.
  ctx.remove(REQUEST_ID_HEADER)
  ctx.status = 304
}

/** The input of every handler: the services and the request, validated by the schemas of its route. */
export type Call<R extends RouteName> = {
  services: Services
  ctx: Koa.Context
  /** Real time of the request, ms. */
  now: number
  body: BodyOf<R>
  query: QueryOf<R>
  params: Record<ParamsOf<R>, string>
}

/** The JSON body of the response; `undefined` from a handler that used `notModified` or `stream`. */
type Answer<R extends RouteName> = Promise<Answers[R] | undefined>

/** A route's code, from a request to the body of its response. */
export type RouteHandler<R extends RouteName> = (call: Call<R>) => Answer<R>

/** What the types of a route do not contain. docs/openapi.json is written from it, and tests compare it with a product. */
export type RouteFacts = {
  tag:
    | 'account'
    | 'password'
    | 'reminders'
    | 'inbox'
    | 'mining'
    | 'wallet'
    | 'team'
    | 'tasks'
    | 'network'
    | 'app'
  summary: string
  /** Who may call it: `member` needs a sign-in, `anyone` does not. */
  access: 'member' | 'anyone'
  /** Takes `Idempotency-Key`: a repeated request gets the first answer again. */
  idempotent?: true
  /** Answers with an `ETag` and takes `If-None-Match`. */
  etag?: true
  /** Codes of this route in addition to those that follow from its input, access and method. */
  errors?: RuleCode[]
}

/** The routes of the contract. */
export type Routes = { [R in RouteName]: RouteFacts & { handle: RouteHandler<R> } }

/**
 * Reads the input of a route from its request.
 * @throws {BadInput} if the body, query or path parameters break the route's schemas
 */
export function callOf<R extends RouteName>(
  services: Services,
  ctx: Koa.Context,
  route: R,
): Call<R> {
  return {
    services: servicesFor(services, causeOf(ctx)),
    ctx,
    now: Date.now(),
    params: paramsOf(ctx) as Record<ParamsOf<R>, string>,
    body: bodyOf(ctx, route),
    query: queryOf(ctx, route),
  }
}

/** The sign-in of this request as Redis holds it; its epoch may have ended. */
function storedSignIn(ctx: Koa.Context): SignIn {
  const { memberId, epoch } = authSession(ctx)
  if (memberId === undefined) throw notSignedIn()
  return { memberId, epoch }
}

/**
 * The sign-in that sent this request: of an existing member, not expired, of the current epoch.
 * @throws {RuleError} `not_signed_in`
 */
export async function signInOf({ db }: Services, ctx: Koa.Context): Promise<SignIn> {
  const signIn = storedSignIn(ctx)
  await assertSignedIn(db, signIn)
  return signIn
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

/**
 * The client's `Idempotency-Key`; undefined without one.
 * @throws {BadInput} for a malformed key
 */
export function idempotencyKeyOf(ctx: Koa.Context): string | undefined {
  const idempotencyKey = ctx.get(IDEMPOTENCY_HEADER)
  if (idempotencyKey && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    throw new BadInput('Idempotency-Key is not usable')
  }
  return idempotencyKey || undefined
}

/**
 * False for a queued command that must not run any more: the client retries elsewhere, and a gateway
 * that was suspended would otherwise execute the command long after that retry.
 */
const isConnected = (ctx: Koa.Context) => !ctx.req.socket.destroyed

/** @throws {BadInput} for a request that waited and whose client has left; nobody receives it */
export function assertConnected(ctx: Koa.Context): void {
  if (!isConnected(ctx)) throw new BadInput('The client has disconnected')
}

/** Commands in 30 s that do not count towards the limit of a day, which members never notice. */
const UNCOUNTED = 10

/**
 * Counts a command for its member and epoch, so that a sign-in that has ended cannot use up the member's.
 * @returns what counts its success for the day: for the member alone, who can raise the epoch
 * @throws {RuleError} `too_many_requests`
 */
export async function limitCommands(
  { limits }: Pick<Services, 'limits'>,
  { memberId, epoch }: SignIn,
): Promise<() => void> {
  const used = await limits.use('command-member', `${memberId}|${epoch}`)
  if (used <= UNCOUNTED) return () => {}
  await limits.check('command-day-member', String(memberId))
  // A lost count harms nobody.
  return () => void limits.count('command-day-member', String(memberId)).catch(() => {})
}

type CommandCall<R extends RouteName, Locked> = Call<R> & {
  memberId: number
  tx: Tx
  /** What `lock` has read. */
  locked: Promise<Locked>
  /** Registers a change beyond this member, which is published after the commit too. */
  alsoChanged(change: Change): void
}

type CommandOptions<R extends RouteName, Locked> = {
  /** As in `executeOnce`. */
  lock?: (tx: Tx, memberId: number) => Promise<Locked>
  /** Carries the command out in a batch with others; undefined if it has to run on its own. */
  batch?: (
    services: Services,
    request: Omit<MiningCommand, 'kind'>,
  ) => Promise<Answers[R] | undefined>
}

/**
 * A route that changes data of the signed-in member: one transaction, one effect for an
 * `Idempotency-Key`, and after the commit a message to every gateway about what changed.
 */
export function command<R extends RouteName, Locked = undefined>(
  topics: Topic[],
  execute: (call: CommandCall<R, Locked>) => Promise<Answers[R]>,
  { lock, batch }: CommandOptions<R, Locked> = {},
): RouteHandler<R> {
  return async (call) => {
    const { services, ctx } = call
    // `executeOnce` checks the epoch under the member's lock.
    const signIn = storedSignIn(ctx)
    const { memberId } = signIn
    const countSuccess = await limitCommands(services, signIn)
    const request = { signIn, route: `${ctx.method} ${ctx.path}`, key: idempotencyKeyOf(ctx) }
    const others: Change[] = []
    const single = async (tx: Tx) => {
      assertConnected(ctx)
      others.length = 0
      const alsoChanged = (change: Change) => void others.push(change)
      return executeOnce(
        tx,
        request,
        (locked) => execute({ ...call, memberId, tx, locked, alsoChanged }),
        lock,
      )
    }
    const answer = await services.memberMutex.run(
      memberId,
      async () =>
        (await batch?.(services, { ...request, isConnected: () => isConnected(ctx) })) ??
        inTransaction(services.db, single),
    )
    countSuccess()
    // Not awaited: the answer is true already, and a lost push is made up for.
    void services.changes.publishMembers([memberId], topics)
    for (const other of others) void services.changes.publish(other)
    return answer
  }
}

/** A route as its file states it: for members unless it says otherwise. */
type Stated<R extends RouteName> = Omit<RouteFacts, 'tag' | 'access'> & {
  access?: 'anyone'
  handle: RouteHandler<R>
}

const LIMITED = ['too_many_requests'] as const

/** Completes the facts of routes with one tag: each idempotent command has a limit too. */
export function routesOf<R extends RouteName>(
  tag: RouteFacts['tag'],
  stated: { [Name in R]: Stated<Name> },
): Pick<Routes, R> {
  const complete = ([name, route]: [string, Stated<R>]) => {
    const errors = [...(route.errors ?? []), ...(route.idempotent ? LIMITED : [])]
    const facts = { tag, access: 'member', ...route, ...(errors.length > 0 && { errors }) }
    return [name, facts]
  }
  return Object.fromEntries(Object.entries<Stated<R>>(stated).map(complete))
}
