import { stopIfActive } from '#db/mining/mining'
import type { Tx } from '#db/postgres/statements/transaction'
import { lockTeams } from '#db/team/referrals'
import { markEmailUsed } from '#db/team/used-referral-emails'
import { memberKey } from '#rules/buckets'
import { deletedName } from '#rules/members/usernames-and-emails'
import { deleteChangeCodes, lockCodesOf } from './email-codes.ts'
import { lockSignedIn, type SignIn } from './execute-once.ts'
import { unlinkTelegram } from './telegram.ts'

function pseudonymised(memberId: number) {
  const name = deletedName(memberId)
  return {
    username: name,
    usernameKey: name,
    email: name,
    emailKey: name,
    password: '',
    phone: null,
    fullName: null,
    avatar: null,
    kycStatus: 'unverified',
    kycDocumentType: null,
    kycDocumentUrl: null,
    kycVerifiedAt: null,
    referralCode: null,
    referralFrozenReason: null,
    frozenAt: null,
    frozenReason: null,
    addressHash: null,
    language: null,
    readAnnouncement: 0,
    weekBoard: null,
  }
}

const OWN_TABLES = [
  'kyc_documents',
  'avatars',
  'reminder_preferences',
  'push_subscriptions',
  'reminders',
  // What operators keep about a member; their log stays.
  'member_notes',
  'correction_proposals',
  'suspicious_teams',
]
const KEYED_TABLES = ['idempotency_keys', 'inbox']
const MAIL_TABLES = {
  email_codes: 'emailKey',
  mails: 'recipientKey',
  refused_addresses: 'recipientKey',
}

async function deleteRows(tx: Tx, memberId: number, emailKey: string): Promise<void> {
  for (const table of OWN_TABLES) await tx(table).where({ userId: memberId }).delete()
  for (const table of KEYED_TABLES) await tx(table).where(memberKey(memberId)).delete()
  for (const [table, column] of Object.entries(MAIL_TABLES)) {
    await tx(table).where(column, emailKey).delete()
  }
  await deleteChangeCodes(tx, memberId)
}

/**
 * Deletes a member permanently and stops the session. Ledger, wallet, sessions, tasks and team counts stay under
 * a pseudonym, so that every audited rule holds; all personal data is deleted. User name and e-mail address are
 * free after the commit, but an address that was counted in a team is not counted again.
 * @returns id of the member's referrer, whose team list changed; null without one
 * @throws {RuleError} `not_signed_in` when the sign-in has ended meanwhile
 */
export async function deleteMember(
  tx: Tx,
  dataKey: Buffer,
  signIn: SignIn,
): Promise<number | null> {
  await lockSignedIn(tx, signIn)
  return deleteLockedMember(tx, dataKey, signIn.memberId)
}

/** The same for a member who exists and whose lock this transaction holds. */
export async function deleteLockedMember(
  tx: Tx,
  dataKey: Buffer,
  memberId: number,
): Promise<number | null> {
  // Nobody may join through the member's code while it is being removed.
  await lockTeams(tx)
  // Before the session and the row of `suspicious_teams`, as joins and the check of teams lock them.
  const { emailKey, referredBy } = await tx('users')
    .where({ id: memberId })
    .forNoKeyUpdate()
    .first('emailKey', 'referredBy')
  // A code being created concurrently is deleted with its mail, or created after the commit.
  await lockCodesOf(tx, emailKey)
  await stopIfActive(tx, memberId)
  // After the end of the session, which may have queued reminders and a row of the inbox.
  await deleteRows(tx, memberId, emailKey)
  await unlinkTelegram(tx, memberId)
  await tx.raw(
    `update feature_flags set "enabledForUsers" = array_remove("enabledForUsers", :memberId)
     where :memberId = any("enabledForUsers")`,
    { memberId },
  )
  if (referredBy !== null) await markEmailUsed(tx, dataKey, emailKey)
  await tx('users')
    .where({ id: memberId })
    // A trigger deletes passkeys and one-time codes.
    .update({
      ...pseudonymised(memberId),
      authEpoch: tx.raw('"authEpoch" + 1'),
      deletedAt: tx.fn.now(),
    })
  return referredBy
}
