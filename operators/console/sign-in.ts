import { randomBytes } from 'node:crypto'
import type Router from '@koa/router'
import type Koa from 'koa'
import { inTransaction } from '#db/postgres/statements/transaction'
import { placeOf } from '#gateway/auth/auth-session'
import { passwordFits } from '#gateway/auth/passwords'
import { clientIp } from '#gateway/security/client-ip'
import { recordAction } from '#operators/actions/action-log'
import {
  beginSignIn,
  endSignIns,
  IDLE_MINUTES,
  signedInBy,
} from '#operators/actions/operator-sign-ins'
import { operatorNamed, type StoredOperator, useCode } from '#operators/actions/operators'
import { DAY_MS } from '#rules/constants'
import { html } from './html.ts'
import {
  type ConsoleServices,
  cookieName,
  field,
  goTo,
  logRefusal,
  operatorOf,
  show,
  typed,
} from './http.ts'
import { layout, notice } from './layout.ts'
import { SignInTries } from './sign-in-tries.ts'

const KNOWN_MS = 180 * DAY_MS

/** A cookie that marks a browser in which the operator has signed in; it grants no access. */
const knownName = (origin: string) => `${cookieName(origin)}-known`

/** False if the operator was reset meanwhile. */
export async function signIn(
  services: ConsoleServices,
  ctx: Koa.Context,
  { id, name, password }: StoredOperator,
  action = 'console sign-in',
): Promise<boolean> {
  const { db, origin } = services
  const place = placeOf(ctx)
  const token = await inTransaction(db, async (tx) => {
    const begun = await beginSignIn(tx, { id, password }, place)
    const entry = { operator: name, operatorId: id, action, memberId: null, reason: 'sign-in' }
    if (begun) await recordAction(tx, { ...entry, details: { ...place } })
    return begun
  })
  if (!token) return false
  const secure = origin.startsWith('https:')
  const options = { httpOnly: true, sameSite: 'strict', secure } as const
  ctx.cookies.set(cookieName(origin), token, { ...options, signed: false })
  const known = `${id}.${randomBytes(16).toString('base64url')}`
  ctx.cookies.set(knownName(origin), known, { ...options, signed: true, maxAge: KNOWN_MS })
  return true
}

const REFUSED =
  'Name, password or code is not right. After five tries the next one has to wait 15 minutes.'

const signInPage = (message?: string) =>
  layout({
    title: 'Sign in',
    content: html`${notice(message)}
<form method="post" action="/sign-in" class="panel">
<label><span>Name</span><input name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required></label>
<label><span>Password</span><input name="password" type="password" autocomplete="current-password" required></label>
<label><span>One-time code</span><input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
<button>Sign in</button>
</form>
<p class="hint">No access, or a lost phone? An owner invites you again.</p>`,
  })

/**
 * Does not say which part is wrong; an unknown name takes as long as a wrong password. The log gets a name only if an
 * operator has it: it may be a stranger's, or a password in the wrong field.
 */
async function verified(
  services: ConsoleServices,
  tries: SignInTries,
  ctx: Koa.Context,
): Promise<StoredOperator | undefined> {
  const { db, config, log, origin } = services
  const name = field(ctx, 'name').slice(0, 100)
  const ip = clientIp(ctx)
  const found = await operatorNamed(db, name)
  const cookie = ctx.cookies.get(knownName(origin), { signed: true })
  const known = found && cookie?.startsWith(`${found.id}.`) ? cookie : undefined
  const one = { name, ip, known }
  const isFree = await tries.take(one)
  const hash = found?.password ?? undefined
  // Without a free try no password is compared, which costs a hash.
  const password = isFree && (await passwordFits(hash, typed(ctx, 'password') ?? '', config))
  if (found && password) {
    if (await useCode(db, config.dataKey, found, field(ctx, 'code'), Date.now())) {
      await tries.giveBack(one)
      return found
    }
  }
  log.warn({ operator: found?.id, ip, isFree }, 'sign-in to the console failed')
  if (!isFree) return undefined
  const operator = found ? { operator: found.name, operatorId: found.id } : { operator: 'unknown' }
  const entry = { ...operator, action: 'console sign-in failed', memberId: null }
  const reason = found && password ? 'wrong code' : 'wrong name or password'
  const { network } = placeOf(ctx)
  await inTransaction(db, (tx) => recordAction(tx, { ...entry, reason, details: { network } }))
  return undefined
}

export function signInRoutes(router: Router, services: ConsoleServices): void {
  const tries = new SignInTries()
  router.get('/sign-in', async (ctx: Koa.Context) => show(ctx, signInPage()))
  router.post('/sign-in', async (ctx: Koa.Context) => {
    const operator = await verified(services, tries, ctx)
    const isIn = operator && (await signIn(services, ctx, operator))
    if (!isIn) return show(ctx, signInPage(REFUSED), 401)
    goTo(ctx, '/')
  })
}

export function signedInOnly(services: ConsoleServices): Koa.Middleware {
  const { db, origin } = services
  return async (ctx, next) => {
    const token = ctx.cookies.get(cookieName(origin)) ?? ''
    // The board asks for its figures all the time.
    const isActive = ctx.method !== 'GET' || !ctx.path.startsWith('/queues/board/api/')
    const operator = token ? await signedInBy(db, token, isActive) : undefined
    if (operator) {
      ctx.state.operator = operator
      return next()
    }
    if (ctx.method === 'POST') {
      const reason = token ? 'a form of a sign-in that is over' : 'a form without a sign-in'
      await logRefusal(services, ctx, reason)
    }
    if (!token) return goTo(ctx, '/sign-in')
    const over = `This sign-in is over: it ends after ${IDLE_MINUTES} minutes without a request. Nothing was changed.`
    ctx.cookies.set(cookieName(origin), null, { path: '/', signed: false })
    if (ctx.method === 'POST') return show(ctx, signInPage(over), 401)
    return goTo(ctx, '/sign-in')
  }
}

export function signOutRoutes(router: Router, { db, origin }: ConsoleServices): void {
  const end = async (ctx: Koa.Context, signInId: number) => {
    const { id, name } = operatorOf(ctx)
    const entry = { operator: name, operatorId: id, action: 'console sign-out', memberId: null }
    await inTransaction(db, async (tx) => {
      if ((await endSignIns(tx, id, signInId)) === 0) return
      await recordAction(tx, { ...entry, reason: 'sign-out', details: { signIn: signInId } })
    })
  }
  router.post('/sign-out', async (ctx: Koa.Context) => {
    await end(ctx, operatorOf(ctx).signIn)
    ctx.cookies.set(cookieName(origin), null, { path: '/', signed: false })
    goTo(ctx, '/sign-in')
  })
  router.post('/account/end-sign-in', async (ctx: Koa.Context) => {
    const id = Number(field(ctx, 'signIn'))
    if (Number.isSafeInteger(id)) await end(ctx, id)
    goTo(ctx, '/account')
  })
}
