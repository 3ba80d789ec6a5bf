import type Koa from 'koa'
import { readAvatar } from '#db/members/avatar-files'
import { ipBucket } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { API_TEXTS } from '#rules/api-texts'
import { avatarHashIn } from '#rules/members/avatars'
import { RuleError } from '#rules/rule-error'

/** The longest time that caches honour, seconds: the bytes of a path never change. */
const YEAR_SECONDS = 31_536_000

/**
 * Serves uploaded avatars to everybody who knows the path, which is the SHA-256 of the picture. `private`
 * keeps them out of shared caches, where they would outlive a deleted account.
 */
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
