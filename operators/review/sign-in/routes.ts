import Router from '@koa/router'
import type Koa from 'koa'
import { reviewerById } from '#operators/actions/reviewers/reviewers'
import { STYLE, signInPage } from '#operators/review/pages/pages'
import { field, goTo, show } from '#operators/review/request'
import type { ReviewServices } from '#operators/review/services'
import { signInReviewer } from './sign-in.ts'

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
