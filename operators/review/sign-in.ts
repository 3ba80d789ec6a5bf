import Router from '@koa/router'
import type Koa from 'koa'
import { inTransaction } from '#db/postgres/statements/transaction'
import { passwordFits } from '#gateway/auth/passwords'
import { recordAction } from '#operators/actions/action-log'
import { type Reviewer, reviewerById, takeTry, useCode } from '#operators/actions/reviewers'
import { field, goTo, type ReviewServices, show } from './http.ts'
import { STYLE, signInPage } from './pages.ts'

/** What a reviewer types. */
export type Credentials = { name: string; password: string; code: string }

/**
 * Verifies name, password and one-time code, and logs the sign-in. A wrong part is not named, and
 * an unknown name takes as long as a wrong password.
 * @param now real time, ms
 */
export async function signInReviewer(
  { db, config, log }: Pick<ReviewServices, 'db' | 'config' | 'log'>,
  { name, password, code }: Credentials,
  now: number,
): Promise<Reviewer | undefined> {
  const found = await takeTry(db, name)
  const fits = await passwordFits(found?.password, password, config)
  if (!found || !fits || !(await useCode(db, config.dataKey, found, code, now))) {
    log.warn({ reviewer: found?.id }, 'sign-in of a reviewer failed')
    return undefined
  }
  const entry = { operator: found.name, action: 'review sign-in', details: {}, reason: 'sign-in' }
  await inTransaction(db, (tx) => recordAction(tx, { ...entry, memberId: null }))
  return { id: found.id, name: found.name }
}

const COOKIE = 'review'
const REFUSED =
  'Name, password or code is not right. After five tries the next one has to wait 15 minutes.'

/** The pages that need no sign-in. */
export function signInRoutes(services: ReviewServices): Koa.Middleware {
  const { origin, sessions } = services
  const secure = origin.startsWith('https:')
  const options = { httpOnly: true, sameSite: 'strict', secure } as const
  const router = new Router()
  router.get('/style.css', async (ctx: Koa.Context) => {
    ctx.type = 'css'
    ctx.body = STYLE
  })
  router.get('/sign-in', async (ctx: Koa.Context) => show(ctx, signInPage()))
  router.post('/sign-in', async (ctx: Koa.Context) => {
    const [name, password, code] = ['name', 'password', 'code'].map((one) => field(ctx, one))
    const now = Date.now()
    const typed = { name: name ?? '', password: password ?? '', code: code ?? '' }
    const reviewer = await signInReviewer(services, typed, now)
    if (!reviewer) return show(ctx, signInPage(REFUSED), 401)
    // TLS ends at a proxy: without this, `cookies` refuses Secure cookies on the plain last hop.
    ctx.cookies.secure = secure
    ctx.cookies.set(COOKIE, sessions.begin(reviewer.id, now), options)
    goTo(ctx, '/')
  })
  router.post('/sign-out', async (ctx: Koa.Context) => {
    sessions.end(ctx.cookies.get(COOKIE) ?? '')
    goTo(ctx, '/sign-in')
  })
  return router.routes() as unknown as Koa.Middleware
}

/** Leads a browser that is not signed in to the form; a removed reviewer is not signed in. */
export function signedInOnly({ db, sessions }: ReviewServices): Koa.Middleware {
  return async (ctx, next) => {
    const id = sessions.find(ctx.cookies.get(COOKIE) ?? '', Date.now())
    const reviewer = id === undefined ? undefined : await reviewerById(db, id)
    if (!reviewer) return goTo(ctx, '/sign-in')
    ctx.state.reviewer = reviewer
    await next()
  }
}
