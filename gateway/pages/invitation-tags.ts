import type Koa from 'koa'
import { escapeHtml } from '#db/mail-texts/mail-html'
import { checkReferralCode } from '#db/team/referrals'
import { clientIp } from '#gateway/security/client-ip'
import { ipBucket } from '#gateway/services/rate-limits'
import type { Services } from '#gateway/services/services'
import { NETWORK_NAME, TAGLINE } from '#rules/constants'
import type { Language } from '#rules/members/languages'
import { isCompleteCode, normalizeReferralCode } from '#rules/members/referral-code'
import { orNothing } from '#runtime/or-nothing'
import { READ_LIMIT_MS } from './initial-data.ts'

/** The picture of a shared link in `client/public`, drawn by `scripts/browser/icons.ts`. */
export const SHARE_PICTURE = { path: '/share.png', width: 1200, height: 630 }

const TEXTS: Record<Language, { locale: string; invites(name: string): string; about: string }> = {
  en: {
    locale: 'en_US',
    invites: (name) => `${name} invites you`,
    about:
      'One tap starts a simulated 24-hour mining session: collect TESP points, faster with friends.',
  },
  vi: {
    locale: 'vi_VN',
    invites: (name) => `${name} mời bạn tham gia`,
    about:
      'Chạm một lần để bắt đầu phiên đào mô phỏng 24 giờ: nhận điểm TESP, càng nhiều bạn bè càng nhanh.',
  },
}

export function codeOfLink(ctx: Koa.Context): string | undefined {
  const { ref } = ctx.query
  const [first] = [ref].flat()
  return first === undefined ? undefined : normalizeReferralCode(first)
}

/** Undefined for an unknown or frozen inviter, and where the database does not answer. */
async function inviterOf(services: Services, ctx: Koa.Context, code: string) {
  if (!isCompleteCode(code)) return undefined
  const isAllowed = await services.limits.tryUse('invitation-address', ipBucket(clientIp(ctx)))
  if (!isAllowed) return undefined
  return (await orNothing(checkReferralCode(services.db, code), READ_LIMIT_MS))?.inviter
}

type Preview = { title: string; tags: string }

/** Shown by messengers for a referral link; a code that names nobody gets the name of the network. */
export async function invitationPreview(
  services: Services,
  ctx: Koa.Context,
  { code, language }: { code: string; language: Language },
): Promise<Preview> {
  // Koa's `origin` is the header, which a navigation does not have.
  const [origin = `${ctx.protocol}://${ctx.host}`] = services.config.publicOrigins
  const inviter = await inviterOf(services, ctx, code)
  const { locale, invites, about } = TEXTS[language]
  const title = inviter === undefined ? NETWORK_NAME : invites(inviter)
  const description = inviter === undefined ? TAGLINE : about
  const picture = `${origin}${SHARE_PICTURE.path}`
  const properties = {
    'og:type': 'website',
    'og:site_name': NETWORK_NAME,
    'og:locale': locale,
    'og:title': title,
    'og:description': description,
    'og:image': picture,
    'og:image:width': SHARE_PICTURE.width,
    'og:image:height': SHARE_PICTURE.height,
    'og:image:alt': `${NETWORK_NAME}: ${TAGLINE}`,
    ...(inviter !== undefined && { 'og:url': `${origin}/auth?ref=${code}` }),
  }
  const names = {
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': picture,
  }
  const metas = (attribute: string, values: Record<string, string | number>) =>
    Object.entries(values).map(
      ([name, value]) => `<meta ${attribute}="${name}" content="${escapeHtml(String(value))}">`,
    )
  return { title, tags: [...metas('property', properties), ...metas('name', names)].join('') }
}
