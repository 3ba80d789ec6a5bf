import { TEAM_PAGE } from '#contract/routes'
import { checkMilestones } from '#db/team/milestones'
import { applyReferralCode, generateReferralCode } from '#db/team/referrals'
import { readReferralInfo, readTeamMembers, readTeamVersion } from '#db/team/team'
import { etagOf, isFresh, NOT_MODIFIED } from '#gateway/http/etag'
import { command, type RouteHandler, signedIn } from '#gateway/http/route'
import { assertSameOrigin } from '#gateway/security/same-origin'
import { RuleError } from '#rules/rule-error'

/** The referral team: code, members, milestones. */

export const info = signedIn<'GET /api/referral/info'>(async ({ services, ctx, memberId }) => {
  const version = await readTeamVersion(services.db, memberId)
  if (isFresh(ctx, etagOf(version))) return NOT_MODIFIED
  return readReferralInfo(services.db, memberId, TEAM_PAGE)
})

export const members = signedIn<'GET /api/referral/members'>(({ services, memberId, query }) =>
  readTeamMembers(services.db, memberId, TEAM_PAGE, query.before),
)

/** A GET that pays: it must come from our own pages as every change must. */
export const milestones: RouteHandler<'GET /api/referral/check-milestones'> = (call) => {
  assertSameOrigin(call.ctx)
  return payMilestones(call)
}

const payMilestones = command<'GET /api/referral/check-milestones'>(
  ['team', 'mining', 'wallet'],
  ({ tx, memberId }) => checkMilestones(tx, memberId),
)

export const generateCode = command<'POST /api/referral/generate-code'>(
  ['team'],
  async ({ tx, memberId }) => ({
    success: true,
    referralCode: await generateReferralCode(tx, memberId),
  }),
)

const apply = command<'POST /api/referral/apply-code'>(
  ['team'],
  async ({ tx, memberId, body, ctx }) => {
    ctx.state.referrerId = await applyReferralCode(tx, memberId, body.referralCode)
    return { success: true, message: 'Referral code applied successfully' }
  },
)

/** A refusal is an answer here: `success: false` with the reason (rules.md: Team). */
export const applyCode: RouteHandler<'POST /api/referral/apply-code'> = async (call) => {
  try {
    const answer = await apply(call)
    const { referrerId } = call.ctx.state
    if (referrerId) {
      const { changes } = call.services
      await changes.publishMembers([referrerId], ['team', 'mining', 'wallet'])
    }
    return answer
  } catch (error) {
    const refused = error instanceof RuleError && /^referral_/.test(error.code)
    if (!refused) throw error
    return { success: false, message: error.message }
  }
}
