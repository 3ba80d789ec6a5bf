import { deleteKeysOf } from '#db/ledger/idempotency'
import { deleteMailsTo } from '#db/mails'
import { deleteCodesOf, lockCodesOf } from '#db/members/email-codes'
import { lockMemberExclusive, type SignIn } from '#db/members/member-lock'
import { stopIfActive } from '#db/mining/mining'
import type { Tx } from '#db/postgres/transaction'
import { lockTeams } from '#db/team/referrals'
import { emailHash, markEmailUsed } from '#db/team/used-referral-emails'
import { shellName } from '#rules/deleted-member'

/** Columns of `users` that say who somebody is, as they stand in a deleted member's row. */
function shellOf(memberId: number) {
  const name = shellName(memberId)
  return {
    ...{ username: name, usernameKey: name, email: name, emailKey: name, password: '' },
    ...{ phone: null, fullName: null, avatar: null },
    ...{ kycStatus: 'unverified', kycDocumentType: null, kycDocumentUrl: null },
    ...{ kycVerifiedAt: null, referralCode: null, referralFrozenReason: null },
    addressHash: null,
  }
}

/**
 * Deletes a member for good. The running session is stopped as by the member, so that what it
 * earned is in the books; ledger, wallet, sessions, tasks and the counts of teams stay under the
 * pseudonym of an empty row, so that every rule of the audit still holds. Everything that says who
 * it was goes; the user name and the e-mail address are free from the commit on, though an address
 * that was counted in a team is not counted in one again.
 * @returns the member's referrer, whose team list changed, if there is one
 * @throws {RuleError} `not_signed_in` where the sign-in has ended meanwhile
 */
export async function deleteMember(
  tx: Tx,
  dataKey: Buffer,
  signIn: SignIn,
): Promise<number | null> {
  const { memberId } = signIn
  await lockMemberExclusive(tx, signIn)
  // Nobody joins a team by a code that is about to stop working.
  await lockTeams(tx)
  const { emailKey, referredBy } = await tx('users')
    .where({ id: memberId })
    .first('emailKey', 'referredBy')
  // A code for this address that is being made is deleted with its mail, or finds nobody.
  await lockCodesOf(tx, emailKey)
  await stopIfActive(tx, memberId)
  await tx('kyc_documents').where({ userId: memberId }).delete()
  await deleteCodesOf(tx, emailKey)
  await deleteMailsTo(tx, emailKey)
  await deleteKeysOf(tx, memberId)
  await tx.raw(
    `update feature_flags set "enabledForUsers" = array_remove("enabledForUsers", :memberId)
     where :memberId = any("enabledForUsers")`,
    { memberId },
  )
  if (referredBy !== null) await markEmailUsed(tx, emailHash(dataKey, emailKey))
  await tx('users')
    .where({ id: memberId })
    .update({
      ...shellOf(memberId),
      authEpoch: tx.raw('"authEpoch" + 1'),
      deletedAt: tx.fn.now(),
    })
  return referredBy
}
