import {
  dismissTeam,
  lookAtTeam,
  type SuspiciousTeam,
  suspiciousTeams,
} from '#db/team/suspicious-teams'
import { evidenceLines } from '#db/team/team-evidence'
import { isUnavailable } from '#gateway/http/errors'
import { freezeCode, frozenCodes } from '#operators/actions/member-changes'
import { memberNamed } from '#operators/actions/members'
import { changeOf } from '#runtime/pubsub'
import { networksIn } from '#runtime/redis/sign-in-networks'
import {
  type ActCall,
  acting,
  argument,
  memberOf,
  type OpsCall,
  type OpsCommand,
  type Row,
  withNext,
} from './command.ts'
import { withRedis } from './redis.ts'

const shownTeam = ({ ownerId: owner, checkedAt: _, evidence, ...team }: SuspiciousTeam): Row => ({
  owner,
  ...team,
  evidence: evidenceLines(evidence).join('; '),
})

/** A team as it is now; without an answer of Redis its networks are unknown, and count nothing. */
export async function teamNow(call: Pick<OpsCall, 'db' | 'config'>, ownerId: number) {
  const found = await withRedis(call, (redis) =>
    lookAtTeam(call.db, ownerId, networksIn(redis, call.config.redisPrefix)),
  ).catch((error) => {
    if (!isUnavailable(error)) throw error
  })
  return found ?? lookAtTeam(call.db, ownerId)
}

const freezing = (isFrozen: boolean, does: string, asks: (code: string, call: ActCall) => string) =>
  acting({
    takes: '<code>',
    does,
    of: argument,
    asks,
    run: async (tx, code, { reason }) => {
      const memberId = await freezeCode(tx, code, isFrozen ? reason : null)
      return {
        says: `${code} of member ${memberId} ${isFrozen ? 'is frozen' : 'takes new members again'}`,
        memberId,
        publishes: [changeOf(memberId, 'team')],
      }
    },
  })

export const teamCommands = {
  'teams suspicious': {
    options: ['[--after <next>]'],
    does: 'teams whose growth looks bought, with the evidence; 50 at once, highest score first',
    list: async ({ db, options: { after } }) => {
      const { teams, next } = await suspiciousTeams(db, after)
      return withNext(teams.map(shownTeam), next)
    },
  },
  'teams show': {
    takes: '<member>',
    does: 'the score of a team now, and the evidence; the newest 200 direct members count',
    show: async (call) => {
      const { id, username, referralCode } = await memberNamed(call.db, argument(call))
      const { score, evidence } = await teamNow(call, id)
      const lines = evidenceLines(evidence).join('; ')
      return { owner: id, username, code: referralCode, score, ...evidence, evidence: lines }
    },
  },
  'teams dismiss': acting({
    takes: '<member>',
    does: 'a suspicious team is honest: it is listed again only with a higher score',
    of: async (call) => {
      const { id, who } = await memberOf(call)
      const { score } = await teamNow(call, id)
      return { id, who, score }
    },
    asks: ({ who }) => `Take the team of ${who} off the list?`,
    run: async (tx, { id, score }) => {
      await dismissTeam(tx, id, score)
      return { says: `the team of member ${id} is off the list`, memberId: id }
    },
  }),
  'codes list': {
    does: 'frozen referral codes, with their owners and reasons',
    list: ({ db }) => frozenCodes(db),
  },
  'codes freeze': freezing(
    true,
    'the code takes no new members; its owner sees the reason',
    (code, { reason }) =>
      `Freeze the referral code ${code} and show its owner the reason "${reason}"?`,
  ),
  'codes unfreeze': freezing(
    false,
    'the code takes new members again',
    (code) => `Let the referral code ${code} take new members again?`,
  ),
} satisfies Record<string, OpsCommand>
