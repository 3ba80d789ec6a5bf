import { send } from '@koa/send'
import type Koa from 'koa'
import { readAvatar } from '#db/members/avatar-files'
import { PROBES } from '#db/metrics-server'
import { APP_PATHS, ignoreStreamErrors, isPageRequest } from '#gateway/pages/pages'
import { ipBucket } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { API_TEXTS } from '#rules/api-texts'
import { avatarHashIn } from '#rules/members/avatars'
import { RuleError } from '#rules/rule-error'

/** `/healthz` and `/readyz` for proxies; metrics have a separate port (`METRICS_PORT`). */
export function health({ db, redis }: Services): Koa.Middleware {
  const probed = { db, redis }
  return async (ctx, next) => {
    const probe = PROBES[ctx.path]
    if (!probe) return next()
    const { status, type, body } = await probe(probed)
    ctx.status = status
    ctx.type = type
    ctx.body = body
  }
}

/** A missing file is a 404, not the page. */
export function staticFiles(root: string): Koa.Middleware {
  return async (ctx, next) => {
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || APP_PATHS.test(ctx.path)) return next()
    const path = isPageRequest(ctx) ? '/index.html' : ctx.path
    const hashed = path.startsWith('/assets/')
    try {
      ctx.vary('Accept-Encoding')
      const options = { root, maxAge: hashed ? 31_536_000_000 : 0, immutable: hashed }
      // A folder or a hidden file is not sent.
      if ((await send(ctx, path, options)) === undefined) return next()
      ignoreStreamErrors(ctx)
      if (!hashed) ctx.set('Cache-Control', 'no-cache')
    } catch (error) {
      if (error instanceof Error && 'status' in error && error.status === 404) return next()
      throw error
    }
  }
}

/** The longest time that caches honour, seconds: the bytes of a path never change. */
const YEAR_SECONDS = 31_536_000

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
