import { send } from '@koa/send'
import type Koa from 'koa'
import { isIpAddress } from '#contract/passkeys'
import type { Services } from '#gateway/services/services'
import { type BuildReader, sendHtml } from './build-files.ts'
import { initialDataReader, orNothing } from './initial-data.ts'
import { codeOfLink, invitationPreview } from './invitation-tags.ts'
import { pageHtml } from './page-html.ts'
import {
  isNavigation,
  isPageRequest,
  isPlainSignIn,
  pageLanguage,
  pagePath,
} from './page-request.ts'

/** Sends the sign-in page as the build rendered it for this host; false if the build has none. */
async function sendPrerendered(ctx: Koa.Context, root: string): Promise<boolean> {
  const variant = isIpAddress(ctx.hostname) ? '.no-passkeys' : ''
  try {
    await send(ctx, `/auth.${pageLanguage(ctx)}${variant}.html`, { root })
    ctx.set('Cache-Control', 'no-cache')
    return true
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 404) return false
    throw error
  }
}

/**
 * Serves the pages of the app. A member's page holds what its first screen shows, which saves the
 * browser the reads that would follow; such an answer is stored nowhere. Each page names the chunks
 * of its screen and their texts in the language of the visitor.
 */
export function pages(services: Services, root: string, readBuild: BuildReader): Koa.Middleware {
  const readInitialData = initialDataReader(services)
  return async (ctx, next) => {
    const build = isPageRequest(ctx) && isNavigation(ctx) ? await readBuild() : undefined
    if (!build) return next()
    ctx.vary(['Accept-Encoding', 'Accept-Language', 'Cookie'])
    if (isPlainSignIn(ctx) && (await sendPrerendered(ctx, root))) return
    const path = pagePath(ctx)
    const first = await readInitialData(ctx.req, path)
    const language = pageLanguage(ctx, first?.user)
    const code = path === '/auth' ? codeOfLink(ctx) : undefined
    const preview =
      code === undefined ? undefined : await invitationPreview(services, ctx, { code, language })
    // A page that names somebody is stored nowhere.
    ctx.set('Cache-Control', first || preview ? 'private, no-store' : 'no-cache')
    // A visitor verifies proofs on this page only; the others need no database.
    const needsKeys = first !== undefined || path === '/verify'
    const sealKeys = (needsKeys && (await orNothing(services.sealKeys()))) || []
    const isView = ctx.query.view !== undefined
    const page = { path, isView, language, first, sealKeys, preview }
    await sendHtml(ctx, pageHtml(build, page))
  }
}
