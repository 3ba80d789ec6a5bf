import { randomBytes } from 'node:crypto'
import { writeInbox } from '#db/inbox/inbox'
import { rerateSession } from '#db/mining/sessions'
import { productNow } from '#db/postgres/connection/product-clock'
import { type Db, sqlState, type Tx } from '#db/postgres/statements/transaction'
import { API_TEXTS } from '#rules/api-texts'
import {
  isReferralCode,
  normalizeReferralCode,
  REFERRAL_LENGTH,
  referralCodeOf,
} from '#rules/members/referral-code'
import { MILESTONES } from '#rules/money/milestones'
import { boostOf } from '#rules/money/mining'
import type { Money } from '#rules/money/money'
import { RuleError } from '#rules/rule-error'
import type { ReferralCodeCheck } from '#rules/snapshots'
import { wasEmailUsed } from './used-referral-emails.ts'

const UNIQUE_VIOLATION = '23505'
/** Key of the advisory lock on the team graph: two concurrent joins could otherwise close a cycle. */
const TEAM_GRAPH_LOCK = 7_300_104

/** Locks the team graph until the transaction ends. */
export async function lockTeams(tx: Tx): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(?)', [TEAM_GRAPH_LOCK])
}

type CodeOwner = { id: number; username: string; referralFrozenReason: string | null }
type Referrer = { id: number; teamSize: number; teamLevel: number; miningBoost: Money }

const refused = (message: string) => new RuleError('referral_refused', message)
const UNKNOWN = API_TEXTS.referralUnknown

const unknownText = (code: string) =>
  isReferralCode(normalizeReferralCode(code)) ? UNKNOWN : API_TEXTS.referralPrefix

async function ownerOf(db: Db, code: string): Promise<CodeOwner | undefined> {
  return db('users')
    .where({ referralCode: normalizeReferralCode(code) })
    .first('id', 'username', 'referralFrozenReason')
}

/** Whether a code can be applied, with the message of the register form and the owner's name. */
export async function checkReferralCode(db: Db, code: string): Promise<ReferralCodeCheck> {
  const owner = await ownerOf(db, code)
  if (!owner) return { valid: false, message: unknownText(code) }
  if (owner.referralFrozenReason !== null) {
    return { valid: false, message: API_TEXTS.referralClosed }
  }
  return { valid: true, message: API_TEXTS.referralValid, inviter: owner.username }
}

/** Whether `ancestor` is `memberId` or one of its referrers at any depth. */
async function isAncestor(tx: Tx, ancestor: number, memberId: number): Promise<boolean> {
  const { rows } = await tx.raw(
    `with recursive above as (
       select id, "referredBy" from users where id = :memberId
       union
       select u.id, u."referredBy" from users u join above on u.id = above."referredBy"
     )
     select exists (select from above where id = :ancestor) as found`,
    { memberId, ancestor },
  )
  return rows[0].found
}

/**
 * Makes the owner of a code the member's referrer, with team size, boost and the rate of the owner's running
 * session (rules.md: Team). Returns the owner's id.
 * @throws {RuleError} `referral_unknown`; `referral_refused` for the member's own code, a cycle, a
 * second code, a frozen code, or an e-mail address already counted for a deleted member
 */
export async function applyReferralCode(tx: Tx, memberId: number, code: string): Promise<number> {
  await lockTeams(tx)
  const owner = await ownerOf(tx, code)
  if (!owner) throw new RuleError('referral_unknown', unknownText(code))
  if (owner.id === memberId) throw refused(API_TEXTS.referralOwn)
  if (owner.referralFrozenReason !== null) throw refused(API_TEXTS.referralClosed)
  if (await isAncestor(tx, memberId, owner.id)) throw refused(API_TEXTS.referralOwnTeam)
  if (await wasEmailUsed(tx, memberId)) throw refused(API_TEXTS.referralEmailCounted)
  const joined = await tx('users')
    .where({ id: memberId, referredBy: null })
    .update({ referredBy: owner.id })
  if (joined !== 1) throw refused(API_TEXTS.referralApplied)
  await countMember(tx, owner.id, memberId)
  return owner.id
}

async function countMember(tx: Tx, ownerId: number, memberId: number): Promise<void> {
  const [owner]: Referrer[] = await tx('users')
    .where({ id: ownerId })
    .update({ teamSize: tx.raw('"teamSize" + 1') })
    .returning(['id', 'teamSize', 'teamLevel', 'miningBoost'])
  if (!owner) throw new RuleError('referral_unknown', UNKNOWN)
  const miningBoost = boostOf(owner.teamSize)
  await tx('users').where({ id: ownerId }).update({ miningBoost })
  await tx('referral_rewards').insert({
    userId: ownerId,
    referredUserId: memberId,
    level: 1,
    rewardPercentage: 5,
  })
  await rerateSession(tx, { ...owner, miningBoost }, await productNow(tx))
  await tellOwner(tx, owner, memberId)
}

/** A member joins once, and a milestone is ready with exactly one of them. */
async function tellOwner(tx: Tx, owner: Referrer, joinedId: number): Promise<void> {
  const { id: memberId, teamSize } = owner
  const joined = { memberId, kind: 'member-joined', fact: joinedId } as const
  await writeInbox(tx, { ...joined, facts: { memberId: joinedId } })
  const milestone = MILESTONES.find(({ members }) => members === teamSize)
  if (!milestone) return
  const { members } = milestone
  await writeInbox(tx, { memberId, kind: 'milestone-ready', fact: members, facts: { members } })
}

/** The member's referral code, generated when the member has none. */
export async function generateReferralCode(tx: Tx, memberId: number): Promise<string> {
  for (;;) {
    const referralCode = referralCodeOf(randomBytes(REFERRAL_LENGTH))
    try {
      // A savepoint: a code that is taken costs another draw and does not abort the transaction.
      await tx.transaction((inner) =>
        inner('users').where({ id: memberId, referralCode: null }).update({ referralCode }),
      )
      return (await tx('users').where({ id: memberId }).first('referralCode')).referralCode
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    }
  }
}
