import { TEAM_MINING_MAX, TEAM_PAGE } from '#contract/routes'
import { notSignedIn } from '#db/members/execute-once'
import { productNow } from '#db/postgres/connection/product-clock'
import { checkMilestones } from '#db/team/milestones'
import { setBoardListing, weekStart } from '#db/team/mined-week'
import { readWeekBoards } from '#db/team/read-week-boards'
import { applyReferralCode, generateReferralCode } from '#db/team/referrals'
import {
  readMiningMembers,
  readReferralInfo,
  readTeamMembers,
  readTeamVersion,
} from '#db/team/team'
import { wakeMember } from '#db/team/wake'
import { WeekBoardSets } from '#db/team/week-board'
import { command, memberOf, routesOf, signedIn, storedSignIn } from '#gateway/http/route'
import { etagOf, notModified } from '#gateway/not-modified/etag'
import { assertSameOrigin } from '#gateway/security/origins'
import type { Services } from '#gateway/services/services'
import { API_TEXTS } from '#rules/api-texts'
import { RuleError } from '#rules/rule-error'
import { changeOf } from '#runtime/pubsub'

const weekSets = ({ redis, config }: Services) => new WeekBoardSets(redis, config.redisPrefix)

const storeListing = command<'POST /api/referral/week'>([], async ({ tx, memberId, body }) => {
  await setBoardListing(tx, memberId, body.listing)
  return { listing: body.listing }
})

const payMilestones = command<'GET /api/referral/check-milestones'>(
  ['team', 'mining', 'wallet', 'inbox'],
  ({ tx, memberId }) => checkMilestones(tx, memberId),
)

const wake = command<'POST /api/referral/wake'>([], async ({ tx, memberId, body, alsoChanged }) => {
  await wakeMember(tx, memberId, body.memberId)
  alsoChanged(changeOf(body.memberId, 'inbox'))
  return readMiningMembers(tx, memberId, TEAM_MINING_MAX)
})

const apply = command<'POST /api/referral/apply-code'>(
  ['team'],
  async ({ tx, memberId, body, alsoChanged }) => {
    const referrerId = await applyReferralCode(tx, memberId, body.referralCode)
    alsoChanged(changeOf(referrerId, 'team', 'mining', 'wallet', 'inbox'))
    return { success: true, message: API_TEXTS.referralDone }
  },
)

export const teamRoutes = routesOf('team', {
  'GET /api/referral/info': {
    summary: 'Reads the referral code, the team and its milestones.',
    etag: true,
    handle: async ({ services, ctx }) => {
      const { memberId, epoch } = storedSignIn(ctx)
      const team = await readTeamVersion(services.db, memberId, TEAM_PAGE)
      if (!team || team.authEpoch !== epoch) throw notSignedIn()
      if (notModified(ctx, etagOf(team.version))) return undefined
      return readReferralInfo(services.db, memberId, TEAM_PAGE)
    },
  },
  'GET /api/referral/members': {
    summary: 'Reads a further page of team members, newest first.',
    handle: signedIn(({ services, memberId, query }) =>
      readTeamMembers(services.db, memberId, TEAM_PAGE, query.before),
    ),
  },
  'GET /api/referral/mining': {
    summary: 'Reads which direct members are mining now, and whom of the others one can remind.',
    handle: signedIn(({ services, memberId }) =>
      readMiningMembers(services.db, memberId, TEAM_MINING_MAX),
    ),
  },
  'POST /api/referral/wake': {
    summary:
      'Reminds a direct member to mine, once a UTC day; answers as GET /api/referral/mining.',
    idempotent: true,
    errors: ['member_mining', 'not_found', 'reminder_refused', 'reminder_repeated'],
    handle: async (call) => {
      const { services, ctx } = call
      await services.limits.use('wake-member', String(await memberOf(services, ctx)))
      return wake(call)
    },
  },
  'GET /api/referral/week': {
    summary: 'Reads who mined how much this week: in the team, and of the members who are listed.',
    errors: ['board_unavailable'],
    handle: signedIn(({ services, memberId }) =>
      readWeekBoards(services.db, weekSets(services), memberId),
    ),
  },
  /** The sets follow the choice at once; without Redis the next run does it. */
  'POST /api/referral/week': {
    summary: 'Puts the member on the board of all members, with or without a name, or off it.',
    idempotent: true,
    handle: async (call) => {
      const { services, ctx } = call
      const { memberId } = storedSignIn(ctx)
      const answer = await storeListing(call)
      if (answer) {
        const now = weekStart(await productNow(services.db))
        await weekSets(services)
          .list(now, memberId, answer.listing !== null)
          .catch((err) => services.log.warn({ err }, 'board not changed; the next run changes it'))
      }
      return answer
    },
  },
  /** A GET that pays (Specification §7), so it requires a same-origin request as every write does. */
  'GET /api/referral/check-milestones': {
    summary: 'Pays the milestones that the team has reached. This GET changes state.',
    idempotent: true,
    errors: ['cross_site'],
    handle: (call) => {
      assertSameOrigin(call.ctx)
      return payMilestones(call)
    },
  },
  'POST /api/referral/generate-code': {
    summary: 'Creates the referral code of the member, or returns the one that exists.',
    idempotent: true,
    handle: command(['team', 'account'], async ({ tx, memberId }) => ({
      success: true,
      referralCode: await generateReferralCode(tx, memberId),
    })),
  },
  /** A rejected code is answered 200 with `success: false` and the reason (rules.md: Team). */
  'POST /api/referral/apply-code': {
    summary: 'Joins the team of a referral code; a refused code is answered with `success: false`.',
    idempotent: true,
    handle: async (call) => {
      try {
        return await apply(call)
      } catch (error) {
        const isRejectedCode = error instanceof RuleError && /^referral_/.test(error.code)
        if (!isRejectedCode) throw error
        return { success: false, message: error.message }
      }
    },
  },
})
