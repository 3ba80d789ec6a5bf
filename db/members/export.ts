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

type Parts = Omit<MemberExport, 'about'>
type ListName = { [K in keyof Parts]: Parts[K] extends unknown[] ? K : never }[keyof Parts]

const OWN = 'where "userId" = :userId'
const KEYED = `where bucket = :bucket and "userId" = :userId`

const publicName = (user: string) =>
  `case when ${user}."deletedAt" is null then ${user}.username else '${DELETED_MEMBER}' end`

/** Single rows of a member. Columns are listed explicitly, so that a new secret is never exported. */
const SINGLE: Record<Exclude<keyof Parts, ListName>, string> = {
  // `encode` breaks lines.
  profile: `
    select u.id, u.username, u.email, u."fullName", u.phone, u.language, coalesce('data:image/jpeg;base64,'
      || translate(encode(a.bytes, 'base64'), chr(10), ''), u.avatar) as avatar,
      u."readAnnouncement", u."createdAt" as "signedUpAt"
    from users u left join avatars a on a."userId" = u.id where u.id = :userId`,
  identity: `
    select "kycStatus" as status, "kycDocumentType" as "documentType", "kycVerifiedAt" as "verifiedAt"
    from users where id = :userId`,
  wallet: `
    select name, balance as tesp, "usdtBalance" as usdt, "createdAt" as "openedAt" from wallets ${KEYED}`,
  mining: `
    select "pendingRewards" as "pendingTesp", "pendingUsdtRewards" as "pendingUsdt", "totalMined", claims,
      "lastClaimTime" as "lastClaimAt", "neuralLinks", "dataProcessed", "networkPower"
    from mining_stats ${KEYED}`,
  team: `
    select u."referralCode", u."referralFrozenReason" as "frozenReason", ${publicName('r')} as "referredBy",
      u."teamSize", u."teamLevel", u."miningBoost"
    from users u left join users r on r.id = u."referredBy" where u.id = :userId`,
  reminderSettings: `
    select coalesce(p.mail, false) as mail, p."pushKinds" as kinds, coalesce(p.team, false) as team,
      p."inviterBlockedAt", p."remindedOn"::text as "lastTeamReminder", u."weekBoard"
    from users u left join reminder_preferences p on p."userId" = u.id where u.id = :userId`,
  oneTimeCodes: `
    select f."confirmedAt" is not null as on, f."confirmedAt" as since,
      cardinality(f."recoveryHashes") as "recoveryCodesLeft"
    from users u left join second_factors f on f."userId" = u.id where u.id = :userId`,
}

/** Lists, oldest first; the bytes of `documents` are still encrypted. Mails and codes are found by e-mail. */
export const LISTS: Record<ListName, string> = {
  documents: `
    select id, "documentType", mime, "createdAt" as "submittedAt", "decidedAt", accepted, reason,
      "deletedAt", sealed as content
    from kyc_documents ${OWN} order by id`,
  sessions: `
    select id, "startTime" as "startedAt", "endTime" as "endedAt", status, "hashRate", "usdtRate", reward,
      "usdtReward", "creditedIntervals"
    from mining_sessions ${KEYED} order by id`,
  earlierSessions: `
    select sessions, "creditedIntervals", reward, "usdtReward", "firstStart" as "firstStartedAt",
      "lastEnd" as "lastEndedAt"
    from folded_sessions ${KEYED}`,
  activity: `
    select id, type, amount, "tokenType", ${descriptionSql('a')} as description, "createdAt" as at,
      "balanceAfter"
    from wallet_activity a ${KEYED} order by "createdAt", seq`,
  tasks: `
    select "taskId", "completedAt", "rewardAmount", "rewardType", day
    from completed_tasks ${KEYED} order by id`,
  teamMembers: `
    select ${publicName('u')} as username, "createdAt" as "joinedAt"
    from users u where "referredBy" = :userId order by id`,
  teamRewards: `
    select amount, reason, "teamSize", "createdAt" as at from usdt_rewards ${KEYED} order by id`,
  milestones: `
    select milestone as members, achieved, "rewardAmount", "achievedAt"
    from team_milestones ${KEYED} order by id`,
  features: 'select name from feature_flags where :userId = any("enabledForUsers")',
  codes: `
    select purpose, "createdAt", "expiresAt", "verifiedAt"
    from email_codes where "emailKey" = :emailKey order by id`,
  mails: `
    select recipient, subject, "createdAt", "sentAt"
    from mails where "recipientKey" = :emailKey order by id`,
  mailRefusals: `
    select "refusedAt" as at, reason from refused_addresses where "recipientKey" = :emailKey`,
  pushDevices: `
    select device, "createdAt" as "addedAt" from push_subscriptions ${OWN} order by id`,
  passkeys: `
    select name, "createdAt" as "addedAt", "lastUsedAt", "backedUp", transports
    from passkeys ${OWN} order by id`,
  telegram: `
    select sealed, "linkedAt" from telegram_accounts ${OWN} and sealed is not null`,
  reminders: `
    select kind, "sessionId", case when "subscriptionId" is null then 'mail' else 'push' end as channel,
      "createdAt", "settledAt", outcome
    from reminders ${OWN} order by id`,
  // Without the ids of other members.
  inbox: `
    select kind, at, "readAt", facts - 'memberId' as facts from inbox ${KEYED} order by id`,
  operatorActions: `select at, action, reason from operator_actions ${OWN} order by id`,
  operatorNotes: `select at, note from member_notes ${OWN} order by id`,
  proposedCorrections: `
    select "proposedAt", token, amount, reason, approved, "decidedAt"
    from correction_proposals ${OWN} order by id`,
  teamChecks: `select "checkedAt", score, evidence from suspicious_teams ${OWN}`,
  requests: `
    select route, "createdAt" as at from idempotency_keys ${KEYED} order by "createdAt"`,
}

/** A document has up to 5 MiB, so one at a time is decrypted. */
const DOCUMENTS_AT_ONCE = 1

type WrittenExport = { pieces: Buffer[]; username: string; exportedAt: Date }

type Row = Record<string, unknown>
type Owner = ReturnType<typeof memberKey> & { emailKey: string }

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
  for (const [name, sql] of Object.entries(SINGLE)) {
    const { rows } = await tx.raw(sql, owner)
    yield `,\n"${name}":${JSON.stringify(rows[0])}`
  }
  for (const [name, sql] of Object.entries(LISTS)) {
    const view = VIEWS[name] ?? ((row: Row) => row)
    const page = name === 'documents' ? DOCUMENTS_AT_ONCE : undefined
    yield `,\n"${name}":[`
    let separator = '\n'
    for await (const rows of cursorBatches<Row>(tx, tx.raw(sql, owner), page)) {
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
    for await (const text of partsOf(tx, { ...memberKey(memberId), emailKey }, dataKey)) {
      pieces.push(Buffer.from(text))
    }
    pieces.push(Buffer.from('}\n'))
    return { pieces, username, exportedAt }
  })
}
