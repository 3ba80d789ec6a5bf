import { email as emailField } from '#contract/forms/fields'
import { mailTexts } from '#db/mail-texts/mail-texts'
import { enqueueMail, moveMails } from '#db/mails'
import {
  changeScope,
  deleteCodesOf,
  isConfirmed,
  lockCodesOf,
  replaceCode,
  tryCode,
} from '#db/members/email-codes'
import type { MemberRow } from '#db/members/members'
import { allowAddress } from '#db/members/refused-addresses'
import { ifTaken, type Tx } from '#db/postgres/statements/transaction'
import { emailHashToStore, markEmailUsed } from '#db/team/used-referral-emails'
import { API_TEXTS } from '#rules/api-texts'
import { emailKey, normalizeEmail } from '#rules/members/usernames-and-emails'
import { RuleError } from '#rules/rule-error'
import { refuse } from './action-log.ts'
import type { MailContext } from './member-changes.ts'
import { lockKnownMember } from './members.ts'

type EmailChange = { memberId: number; email: string }

async function lockChange(tx: Tx, { memberId, email }: EmailChange) {
  if (!emailField.isValidSync(email)) refuse(API_TEXTS.emailInvalid)
  const member = await lockKnownMember(tx, memberId)
  const key = emailKey(email)
  if (key === emailKey(member.email)) refuse('The member has this e-mail address already')
  const taken = await tx('users').where({ emailKey: key }).first('id')
  if (taken) throw new RuleError('email_taken', API_TEXTS.emailTaken)
  return { member, email: normalizeEmail(email), key }
}

/** Codes of both mailboxes for this change only: one for another address confirms nothing. */
function scopes({ id, email }: MemberRow, change: { email: string; key: string }) {
  const scope = { purpose: 'change', browserId: changeScope(id, change.key) } as const
  return { old: { ...scope, email }, new: { ...scope, email: change.email } }
}

/** Each code is valid for 24 hours. @throws {RuleError} `not_found`, `bad_input`, `email_taken` */
export async function beginEmailChange(
  tx: Tx,
  { dataKey }: MailContext,
  change: EmailChange,
): Promise<void> {
  const { member, email, key } = await lockChange(tx, change)
  const texts = mailTexts(member.language)
  const mailboxes = scopes(member, { email, key })
  for (const owner of [mailboxes.old, mailboxes.new]) {
    const code = await replaceCode(tx, dataKey, owner)
    const text = texts.emailChangeCode(code, { username: member.username, email })
    // Until the change, a deletion finds mails by the member's address.
    await enqueueMail(tx, dataKey, { to: owner.email, ...text }, member.email)
  }
}

/** Codes that the member has read to the operator; one is missing if its mailbox confirmed before. */
export type ChangeCodes = { old?: string; new?: string }

/**
 * Five wrong codes use up the code of a mailbox.
 * @returns what is missing; undefined if the address has changed. Wrong tries must be committed, so they are no error
 * @throws {RuleError} `not_found`, `bad_input`, `email_taken`
 */
export async function confirmEmailChange(
  tx: Tx,
  mails: MailContext,
  change: EmailChange & { codes: ChangeCodes },
): Promise<string | undefined> {
  const { member, ...target } = await lockChange(tx, change)
  const mailboxes = scopes(member, target)
  const missing: string[] = []
  for (const which of ['old', 'new'] as const) {
    const owner = mailboxes[which]
    if (await isConfirmed(tx, owner)) continue
    const code = change.codes[which]
    const result = code ? await tryCode(tx, mails.dataKey, owner, code) : 'wrong'
    if (result === 'used_up') missing.push(`the code of the ${which} mailbox is used up`)
    else if (result === 'wrong') missing.push(`the ${which} mailbox has not confirmed`)
  }
  if (missing.length > 0) return missing.join('; ')
  await apply(tx, mails, member, target)
}

/** For a member who lost the old mailbox. @throws {RuleError} `not_found`, `bad_input`, `email_taken` */
export async function setEmail(tx: Tx, mails: MailContext, change: EmailChange): Promise<void> {
  const { member, ...target } = await lockChange(tx, change)
  return apply(tx, mails, member, target)
}

/** The epoch ends sign-ins, known browsers and devices. Mails move, so that an export and a deletion find them. */
async function apply(
  tx: Tx,
  { dataKey, origin }: MailContext,
  member: MemberRow,
  { email, key }: { email: string; key: string },
): Promise<void> {
  const oldKey = emailKey(member.email)
  // In one order, so that two changes do not wait for each other.
  for (const each of [oldKey, key].sort()) await lockCodesOf(tx, each)
  const { referredBy } = await tx('users').where({ id: member.id }).first('referredBy')
  await tx('users')
    .where({ id: member.id })
    .update({
      email,
      emailKey: key,
      addressHash: await emailHashToStore(tx, dataKey, key),
      authEpoch: tx.raw('"authEpoch" + 1'),
    })
    .catch(ifTaken(new RuleError('email_taken', API_TEXTS.emailTaken)))
  await deleteCodesOf(tx, oldKey)
  await deleteCodesOf(tx, key)
  // Whether its server refuses mails says something about the member, whose deletion would not find it.
  await allowAddress(tx, oldKey)
  // As after a deletion: the old mailbox must not be counted in a team again.
  if (referredBy !== null) await markEmailUsed(tx, dataKey, oldKey)
  const notice = { to: member.email, ...mailTexts(member.language).emailChanged(origin) }
  await enqueueMail(tx, dataKey, notice)
  await moveMails(tx, oldKey, key)
}
