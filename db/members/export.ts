import type { Knex } from 'knex'
import { descriptionSql } from '#db/ledger/credit-sql'
import { inLedgerSnapshot } from '#db/ledger/partition-swap'
import { cursorBatches } from '#db/postgres/statements/cursor'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { memberKey } from '#rules/buckets'
import { NETWORK_NAME } from '#rules/constants'
import type { MemberExport } from '#rules/members/member-export'
import { DELETED_MEMBER } from '#rules/members/usernames-and-emails'
import { RuleError } from '#rules/rule-error'
import type { SignIn } from './execute-once.ts'
import { decryptDocument } from './kyc.ts'
import { openAccount } from './telegram.ts'

/** The member whose data is exported: mails and codes are found by e-mail, all other rows by id. */
type Owner = { memberId: number; emailKey: string }

type Query = (tx: Tx, owner: Owner) => Knex.QueryBuilder
type Parts = Omit<MemberExport, 'about'>
type ListName = { [K in keyof Parts]: Parts[K] extends unknown[] ? K : never }[keyof Parts]

const ownKeyed = (tx: Tx, table: string, { memberId }: Owner) =>
  tx(table).where(memberKey(memberId))
const own = (tx: Tx, table: string, { memberId }: Owner) => tx(table).where({ userId: memberId })

/** Single rows of a member. Columns are listed explicitly, so that a new secret is never exported. */
const SINGLE: Record<Exclude<keyof Parts, ListName>, Query> = {
  profile: (tx, { memberId }) =>
    tx('users as u')
      .leftJoin('avatars as a', 'a.userId', 'u.id')
      .where('u.id', memberId)
      .select('u.id', 'u.username', 'u.email', 'u.fullName', 'u.phone', 'u.language')
      // `encode` breaks lines.
      .select({
        avatar: tx.raw(
          `coalesce('data:image/jpeg;base64,' || translate(encode(a.bytes, 'base64'), chr(10), ''), u.avatar)`,
        ),
      })
      .select('u.readAnnouncement', 'u.createdAt as signedUpAt'),
  identity: (tx, { memberId }) =>
    tx('users')
      .where({ id: memberId })
      .select('kycStatus as status', 'kycDocumentType as documentType')
      .select('kycVerifiedAt as verifiedAt'),
  wallet: (tx, owner) =>
    ownKeyed(tx, 'wallets', owner)
      .select('name', 'balance as tesp', 'usdtBalance as usdt')
      .select('createdAt as openedAt'),
  mining: (tx, owner) =>
    ownKeyed(tx, 'mining_stats', owner)
      .select('pendingRewards as pendingTesp', 'pendingUsdtRewards as pendingUsdt')
      .select('totalMined', 'claims', 'lastClaimTime as lastClaimAt')
      .select('neuralLinks', 'dataProcessed', 'networkPower'),
  team: (tx, { memberId }) =>
    tx('users as u')
      .leftJoin('users as r', 'r.id', 'u.referredBy')
      .where('u.id', memberId)
      .select('u.referralCode', 'u.referralFrozenReason as frozenReason')
      .select({ referredBy: publicName(tx, 'r') })
      .select('u.teamSize', 'u.teamLevel', 'u.miningBoost'),
  reminderSettings: (tx, { memberId }) =>
    tx('users as u')
      .leftJoin('reminder_preferences as p', 'p.userId', 'u.id')
      .where('u.id', memberId)
      .select({ mail: tx.raw('coalesce(p.mail, false)') }, 'p.pushKinds as kinds')
      .select({ team: tx.raw('coalesce(p.team, false)') }, 'p.inviterBlockedAt')
      .select({ lastTeamReminder: tx.raw('p."remindedOn"::text') }, 'u.weekBoard'),
  oneTimeCodes: (tx, { memberId }) =>
    tx('users as u')
      .leftJoin('second_factors as f', 'f.userId', 'u.id')
      .where('u.id', memberId)
      .select({ on: tx.raw('f."confirmedAt" is not null') }, 'f.confirmedAt as since')
      .select({ recoveryCodesLeft: tx.raw('cardinality(f."recoveryHashes")') }),
}

function publicName(tx: Tx, table: string) {
  const bindings = [table, 'deletedAt', table, 'username', DELETED_MEMBER]
  return tx.raw('case when ??.?? is null then ??.?? else ? end', bindings)
}

/** Lists, oldest first; the bytes of `documents` are still encrypted. */
export const LISTS: Record<ListName, Query> = {
  documents: (tx, owner) =>
    own(tx, 'kyc_documents', owner)
      .orderBy('id')
      .select('id', 'documentType', 'mime', 'createdAt as submittedAt')
      .select('decidedAt', 'accepted', 'reason', 'deletedAt', 'sealed as content'),
  sessions: (tx, owner) =>
    ownKeyed(tx, 'mining_sessions', owner)
      .orderBy('id')
      .select('id', 'startTime as startedAt', 'endTime as endedAt', 'status', 'hashRate')
      .select('usdtRate', 'reward', 'usdtReward', 'creditedIntervals'),
  earlierSessions: (tx, owner) =>
    ownKeyed(tx, 'folded_sessions', owner)
      .select('sessions', 'creditedIntervals', 'reward', 'usdtReward')
      .select('firstStart as firstStartedAt', 'lastEnd as lastEndedAt'),
  activity: (tx, owner) =>
    ownKeyed(tx, 'wallet_activity', owner)
      .orderBy(['createdAt', 'seq'])
      .select('id', 'type', 'amount', 'tokenType')
      .select({ description: tx.raw(descriptionSql('wallet_activity')) })
      .select('createdAt as at', 'balanceAfter'),
  tasks: (tx, owner) =>
    ownKeyed(tx, 'completed_tasks', owner)
      .orderBy('id')
      .select('taskId', 'completedAt', 'rewardAmount', 'rewardType', 'day'),
  teamMembers: (tx, { memberId }) =>
    tx('users as u')
      .where('u.referredBy', memberId)
      .orderBy('u.id')
      .select({ username: publicName(tx, 'u') }, 'u.createdAt as joinedAt'),
  teamRewards: (tx, owner) =>
    ownKeyed(tx, 'usdt_rewards', owner)
      .orderBy('id')
      .select('amount', 'reason', 'teamSize', 'createdAt as at'),
  milestones: (tx, owner) =>
    ownKeyed(tx, 'team_milestones', owner)
      .orderBy('id')
      .select('milestone as members', 'achieved', 'rewardAmount', 'achievedAt'),
  features: (tx, { memberId }) =>
    tx('feature_flags').whereRaw('? = any("enabledForUsers")', [memberId]).select('name'),
  codes: (tx, { emailKey }) =>
    tx('email_codes')
      .where({ emailKey })
      .orderBy('id')
      .select('purpose', 'createdAt', 'expiresAt', 'verifiedAt'),
  mails: (tx, { emailKey }) =>
    tx('mails')
      .where({ recipientKey: emailKey })
      .orderBy('id')
      .select('recipient', 'subject', 'createdAt', 'sentAt'),
  mailRefusals: (tx, { emailKey }) =>
    tx('refused_addresses').where({ recipientKey: emailKey }).select('refusedAt as at', 'reason'),
  pushDevices: (tx, owner) =>
    own(tx, 'push_subscriptions', owner).orderBy('id').select('device', 'createdAt as addedAt'),
  passkeys: (tx, owner) =>
    own(tx, 'passkeys', owner)
      .orderBy('id')
      .select('name', 'createdAt as addedAt', 'lastUsedAt', 'backedUp', 'transports'),
  telegram: (tx, owner) =>
    own(tx, 'telegram_accounts', owner).whereNotNull('sealed').select('sealed', 'linkedAt'),
  reminders: (tx, owner) =>
    own(tx, 'reminders', owner)
      .orderBy('id')
      .select('kind', 'sessionId')
      .select({ channel: tx.raw(`case when "subscriptionId" is null then 'mail' else 'push' end`) })
      .select('createdAt', 'settledAt', 'outcome'),
  inbox: (tx, owner) =>
    ownKeyed(tx, 'inbox', owner)
      .orderBy('id')
      .select('kind', 'at', 'readAt')
      // Without the ids of other members.
      .select({ facts: tx.raw(`facts - 'memberId'`) }),
  operatorActions: (tx, owner) =>
    own(tx, 'operator_actions', owner).orderBy('id').select('at', 'action', 'reason'),
  operatorNotes: (tx, owner) => own(tx, 'member_notes', owner).orderBy('id').select('at', 'note'),
  proposedCorrections: (tx, owner) =>
    own(tx, 'correction_proposals', owner)
      .orderBy('id')
      .select('proposedAt', 'token', 'amount', 'reason', 'approved', 'decidedAt'),
  teamChecks: (tx, owner) =>
    own(tx, 'suspicious_teams', owner).select('checkedAt', 'score', 'evidence'),
  requests: (tx, owner) =>
    ownKeyed(tx, 'idempotency_keys', owner).orderBy('createdAt').select('route', 'createdAt as at'),
}

/** A document has up to 5 MiB, so one at a time is decrypted. */
const DOCUMENTS_AT_ONCE = 1

type WrittenExport = { pieces: Buffer[]; username: string; exportedAt: Date }

type Row = Record<string, unknown>

const VIEWS: Record<string, (row: Row, dataKey: Buffer) => unknown> = {
  documents: (row, dataKey) => ({
    ...row,
    content: row.content
      ? decryptDocument(dataKey, row.content as Buffer).toString('base64')
      : null,
  }),
  features: ({ name }) => name,
  telegram: ({ sealed, linkedAt }, dataKey) => ({
    ...openAccount(dataKey, sealed as Buffer),
    linkedAt,
  }),
}

/** Chunks of the JSON object after `about`: `"name":value`, lists in batches with one row a line. */
async function* partsOf(tx: Tx, owner: Owner, dataKey: Buffer): AsyncGenerator<string> {
  for (const [name, query] of Object.entries(SINGLE)) {
    yield `,\n"${name}":${JSON.stringify(await query(tx, owner).first())}`
  }
  for (const [name, query] of Object.entries(LISTS)) {
    const view = VIEWS[name] ?? ((row: Row) => row)
    const page = name === 'documents' ? DOCUMENTS_AT_ONCE : undefined
    yield `,\n"${name}":[`
    let separator = '\n'
    for await (const rows of cursorBatches<Row>(tx, query(tx, owner), page)) {
      const texts = rows.map((row) => JSON.stringify(view(row, dataKey)))
      yield separator + texts.join(',\n')
      separator = ',\n'
    }
    yield ']'
  }
}

/**
 * Exports all data held about a member (`MemberExport`) as JSON in chunks, from one snapshot, which ends before
 * the download, so that a slow client cannot keep it open.
 * @throws {RuleError} `not_signed_in` when the sign-in has ended meanwhile
 */
export async function exportMember(
  db: Db,
  dataKey: Buffer,
  { memberId, epoch }: SignIn,
): Promise<WrittenExport> {
  return inLedgerSnapshot(db, async (tx) => {
    const member = await tx('users')
      .where({ id: memberId, authEpoch: epoch ?? null })
      .first('username', 'emailKey', tx.raw('now() as "exportedAt"'))
    if (!member) throw new RuleError('not_signed_in', 'Please sign in')
    const { username, emailKey, exportedAt } = member
    const about = { product: NETWORK_NAME, format: 1, exportedAt }
    const pieces = [Buffer.from(`{"about":${JSON.stringify(about)}`)]
    for await (const text of partsOf(tx, { memberId, emailKey }, dataKey)) {
      pieces.push(Buffer.from(text))
    }
    pieces.push(Buffer.from('}\n'))
    return { pieces, username, exportedAt }
  })
}
