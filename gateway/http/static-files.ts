import type Koa from 'koa'
import { readAvatar } from '#db/members/avatar-files'
import { PROBES } from '#db/metrics-server'
import { sendFile } from '#gateway/pages/build-files'
import { APP_PATHS, isPageRequest } from '#gateway/pages/pages'
import { ipBucket } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { API_TEXTS } from '#rules/api-texts'
import { avatarHashIn } from '#rules/members/avatars'
import { RuleError } from '#rules/rule-error'

/** `/healthz` and `/readyz` for proxies; metrics have a separate port (`METRICS_PORT`). */
export function health({ db, redis }: Services): Koa.Middleware {
  return async (ctx, next) => {
    const probe = PROBES[ctx.path]
    if (!probe) return next()
    Object.assign(ctx, await probe({ db, redis }))
  }
}

/** The longest time that caches honour, seconds, for paths whose bytes never change. */
const YEAR_SECONDS = 31_536_000

/** A missing file is a 404, not the page. */
export function staticFiles(root: string): Koa.Middleware {
  return async (ctx, next) => {
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || APP_PATHS.test(ctx.path)) return next()
    const path = isPageRequest(ctx) ? '/index.html' : ctx.path
    ctx.vary('Accept-Encoding')
    // The names of these files hold a hash of their content.
    const cached = path.startsWith('/assets/') ? `max-age=${YEAR_SECONDS},immutable` : undefined
    if (!(await sendFile(ctx, root, path, cached))) await next()
  }
}

/** Public: the path is the picture's SHA-256. `private`: a shared cache would keep it after an account's deletion. */
export function avatarFiles({ db, limits }: Pick<Services, 'db' | 'limits'>): Koa.Middleware {
  return async (ctx, next) => {
    const hash = avatarHashIn(ctx.path)
    if (hash === undefined || !['GET', 'HEAD'].includes(ctx.method)) return next()
    await limits.use('avatar-address', ipBucket(ctx.state.ip))
    const bytes = await readAvatar(db, hash)
    if (!bytes) throw new RuleError('not_found', API_TEXTS.notFound)
    ctx.set('Cache-Control', `private, max-age=${YEAR_SECONDS}, immutable`)
    ctx.type = 'image/jpeg'
    ctx.body = bytes
  }
}
