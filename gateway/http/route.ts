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
import type { Services } from '#gateway/services/services'
import type { RuleCode } from '#rules/rule-error'
import type { Change, Topic } from '#runtime/pubsub'
import { BadInput } from './errors.ts'

/** The input of a handler, validated by the schemas of its route. */
export type Call<R extends RouteName> = {
  services: Services
  ctx: Koa.Context
  /** Real time of the request, ms. */
  now: number
  body: BodyOf<R>
  query: QueryOf<R>
  params: Record<ParamsOf<R>, string>
}

/** `undefined` from a handler that used `notModified` or `stream`. */
type Answer<R extends RouteName> = Promise<Answers[R] | undefined>

export type RouteHandler<R extends RouteName> = (call: Call<R>) => Answer<R>

/** docs/openapi.json is written from it, and tests compare it with a running product. */
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
  access: 'member' | 'anyone'
  /** Takes `Idempotency-Key`: a repeated request gets the first answer again. */
  idempotent?: true
  etag?: true
  /** Codes of this route in addition to those that follow from its input, access and method. */
  errors?: RuleCode[]
}

export type Routes = { [R in RouteName]: RouteFacts & { handle: RouteHandler<R> } }

/** The sign-in of this request as Redis holds it; its epoch may have ended. Throws `not_signed_in` without one. */
export function storedSignIn(ctx: Koa.Context): SignIn {
  const { memberId, epoch } = authSession(ctx)
  if (memberId === undefined) throw notSignedIn()
  return { memberId, epoch }
}

/** Of an existing member, not expired and of the current epoch; otherwise throws `not_signed_in`. */
export async function signInOf({ db }: Services, ctx: Koa.Context): Promise<SignIn> {
  const signIn = storedSignIn(ctx)
  await assertSignedIn(db, signIn)
  return signIn
}

export async function memberOf(services: Services, ctx: Koa.Context): Promise<number> {
  return (await signInOf(services, ctx)).memberId
}

export function signedIn<R extends RouteName>(
  handle: (call: Call<R> & { memberId: number; signIn: SignIn }) => Answer<R>,
): RouteHandler<R> {
  return async (call) => {
    const signIn = await signInOf(call.services, call.ctx)
    return handle({ ...call, memberId: signIn.memberId, signIn })
  }
}

export function idempotencyKeyOf(ctx: Koa.Context): string | undefined {
  const idempotencyKey = ctx.get(IDEMPOTENCY_HEADER)
  if (idempotencyKey && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    throw new BadInput('Idempotency-Key is not usable')
  }
  return idempotencyKey || undefined
}

/** False if the client has left: it retries elsewhere, and a suspended gateway must not run the command late. */
const isConnected = (ctx: Koa.Context) => !ctx.req.socket.destroyed

export function assertConnected(ctx: Koa.Context): void {
  if (!isConnected(ctx)) throw new BadInput('The client has disconnected')
}

/** Commands in 30 s that do not count towards the limit of a day, which members never notice. */
const UNCOUNTED = 10

/**
 * Counts by epoch, so that a sign-in that has ended cannot use up the member's limit. The returned function
 * counts a success for the day: for the member alone, who can raise the epoch. Throws `too_many_requests`.
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
  locked: Promise<Locked>
  /** Publishes a further change after the commit. */
  alsoChanged(change: Change): void
}

type CommandOptions<Locked> = {
  /** As in `executeOnce`. */
  lock?: (tx: Tx, memberId: number) => Promise<Locked>
  /** Its kind in `miningBatches`, which carry it out together with others unless it has to run on its own. */
  batch?: MiningCommand['kind']
}

/** One transaction, one effect for an `Idempotency-Key`, and after the commit a change with the topics. */
export function command<R extends RouteName, Locked = undefined>(
  topics: Topic[],
  execute: (call: CommandCall<R, Locked>) => Promise<Answers[R]>,
  { lock, batch }: CommandOptions<Locked> = {},
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
    const answer = await services.memberMutex.run(memberId, async () => {
      const inBatch = { ...request, isConnected: () => isConnected(ctx) }
      const batched = batch && (await services.miningBatches.load({ kind: batch, ...inBatch }))
      return (batched as Answers[R] | undefined) ?? inTransaction(services.db, single)
    })
    countSuccess()
    // Not awaited: the answer is true already, and a lost push is made up for.
    void services.changes.publishMembers([memberId], topics)
    for (const other of others) void services.changes.publish(other)
    return answer
  }
}

type Stated<R extends RouteName> = Omit<RouteFacts, 'tag' | 'access'> & {
  access?: 'anyone'
  handle: RouteHandler<R>
}

const LIMITED = ['too_many_requests'] as const

/** Each idempotent command has a rate limit too. */
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
