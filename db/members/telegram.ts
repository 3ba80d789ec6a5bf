import { randomBytes } from 'node:crypto'
import { engineOf } from '#db/engine/engine'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { RuleError } from '#rules/rule-error'
import type { TelegramAccount } from '#rules/snapshots'
import { decrypt, encrypt, keyedHash, keyedHashes } from '#runtime/secrets/encryption'
import { lockMember } from './execute-once.ts'

type TelegramUser = { id: number; name: string }

type LinkedAccount = TelegramUser & {
  /** Names the account in `telegram_claims`, no matter which member has linked it. */
  hash: string
  since: Date
}

const PURPOSE = 'telegram account'
const CODE_PURPOSE = 'telegram code'
/** Of a code that has linked an account: it links no other, and is known until it expires. */
const USED_PURPOSE = 'used telegram code'

const CODE_MINUTES = 15

/** Decrypts a stored account. */
export const openAccount = (dataKey: Buffer, sealed: Buffer): TelegramUser =>
  JSON.parse(decrypt(dataKey, PURPOSE, sealed).toString())

/** The account of the member; undefined without one. */
export async function linkedAccount(
  db: Db,
  dataKey: Buffer,
  memberId: number,
): Promise<LinkedAccount | undefined> {
  const row = await db('telegram_accounts')
    .where({ userId: memberId })
    .whereNotNull('sealed')
    .first('sealed', 'accountHash', 'linkedAt')
  if (!row) return undefined
  return { ...openAccount(dataKey, row.sealed), hash: row.accountHash, since: row.linkedAt }
}

/** What the member sees of the link; `bot` is null if Telegram is not set up here. */
export async function readTelegram(
  db: Db,
  dataKey: Buffer,
  memberId: number,
  bot: string | undefined,
): Promise<TelegramAccount> {
  const account = await linkedAccount(db, dataKey, memberId)
  const linked = account ? { name: account.name, since: account.since.toISOString() } : null
  return { bot: bot ?? null, linked }
}

/** A code for the link to the bot; it replaces the member's earlier one and works once. */
export async function newLinkCode(tx: Tx, dataKey: Buffer, memberId: number): Promise<string> {
  const code = randomBytes(24).toString('base64url')
  const codeHash = keyedHash(dataKey, CODE_PURPOSE, code)
  const codeExpiresAt = tx.raw(`now() + interval '${CODE_MINUTES} minutes'`)
  await tx('telegram_accounts')
    .insert({ userId: memberId, codeHash, codeExpiresAt })
    .onConflict('userId')
    .merge(['codeHash', 'codeExpiresAt'])
  return code
}

const codeRows = (db: Db, dataKey: Buffer, code: string, purpose = CODE_PURPOSE) =>
  db('telegram_accounts as t')
    .whereIn('t.codeHash', keyedHashes(dataKey, purpose, code))
    .where('t.codeExpiresAt', '>', db.fn.now())

/** Whose account a code would link; undefined if it has expired or was used. */
export async function ownerOfCode(
  db: Db,
  dataKey: Buffer,
  code: string,
): Promise<{ memberId: number; username: string } | undefined> {
  return codeRows(db, dataKey, code)
    .join('users as u', 'u.id', 't.userId')
    .first('u.id as memberId', 'u.username')
}

/** Moves an account's paid claims to the hash of the current key; returns its hashes, the current one first. */
async function renewClaims(tx: Tx, dataKey: Buffer, accountId: number) {
  const hashes = keyedHashes(dataKey, PURPOSE, String(accountId))
  const [current, ...older] = hashes
  if (older.length > 0) {
    await tx.raw(
      `insert into telegram_claims ("taskId", "accountHash", "createdAt")
       select "taskId", :current, min("createdAt") from telegram_claims
       where "accountHash" = any(:older) group by "taskId" on conflict do nothing`,
      { current, older },
    )
    await tx('telegram_claims').whereIn('accountHash', older).delete()
  }
  return hashes
}

/** Rehashes a decrypted link and its claims with the current key; deletes it if another member linked the account. */
export async function renewAccountHash(
  tx: Tx,
  dataKey: Buffer,
  id: number,
  plain: Buffer,
): Promise<void> {
  const account: TelegramUser = JSON.parse(plain.toString())
  const [accountHash] = await renewClaims(tx, dataKey, account.id)
  const other = await tx('telegram_accounts').where({ accountHash }).whereNot({ id }).first('id')
  const row = tx('telegram_accounts').where({ id })
  await (other ? row.delete() : row.update({ accountHash }))
}

/** Repeats the answer to the account that the code has linked: a message may be read twice. */
async function answerAgain(
  tx: Tx,
  dataKey: Buffer,
  code: string,
  accountId: number,
): Promise<'linked' | 'expired'> {
  const linked = await codeRows(tx, dataKey, code, USED_PURPOSE)
    .whereIn('t.accountHash', keyedHashes(dataKey, PURPOSE, String(accountId)))
    .first('t.id')
  return linked ? 'linked' : 'expired'
}

/** Links an account in place of an earlier one; `taken`: another member has it, `expired`: the code is void. */
export async function linkTelegram(
  tx: Tx,
  dataKey: Buffer,
  code: string,
  { id, name }: TelegramUser,
): Promise<'linked' | 'taken' | 'expired'> {
  const owner = await ownerOfCode(tx, dataKey, code)
  if (!owner) return answerAgain(tx, dataKey, code, id)
  await lockMember(tx, owner.memberId)
  // Two members may link one account at the same moment.
  await tx.raw('lock table telegram_accounts in share row exclusive mode')
  const hashes = await renewClaims(tx, dataKey, id)
  const [accountHash] = hashes
  const other = await tx('telegram_accounts')
    .whereIn('accountHash', hashes)
    .whereNot({ userId: owner.memberId })
    .first('id')
  if (other) return 'taken'
  const sealed = encrypt(dataKey, PURPOSE, Buffer.from(JSON.stringify({ id, name })))
  const linked = await codeRows(tx, dataKey, code).update({
    accountHash,
    sealed,
    linkedAt: tx.fn.now(),
    codeHash: keyedHash(dataKey, USED_PURPOSE, code),
  })
  return linked === 1 ? 'linked' : answerAgain(tx, dataKey, code, id)
}

/** Deletes the member's account and code. What the account was paid for stays known. */
export async function unlinkTelegram(tx: Tx, memberId: number): Promise<void> {
  await tx('telegram_accounts').where({ userId: memberId }).delete()
}

/** What Telegram has said about a claim: that this account is a member of the chat of the task. */
export type Membership = { accountHash: string; pressedAt: Date }

/** A claim about which Telegram is asked outside a transaction; its repetition counts as pressed at `pressedAt`. */
export class MembershipNeeded extends Error {
  constructor(
    readonly memberId: number,
    readonly chat: string,
    readonly pressedAt: Date,
  ) {
    super('The claim needs an answer of Telegram')
  }
}

/**
 * Uses up the member's account for a task, which pays an account once, whichever member has linked it.
 * @returns the hash of the account
 * @throws {RuleError} `telegram_not_linked`, `telegram_account_used`
 */
export async function useAccount(tx: Tx, memberId: number, taskId: string): Promise<string> {
  // Excludes a renewal of the hash at the same time (`keys renew`).
  const account = await tx('telegram_accounts')
    .where({ userId: memberId })
    .forShare()
    .first('accountHash')
  const accountHash: string | null | undefined = account?.accountHash
  if (!accountHash) throw new RuleError('telegram_not_linked', 'Link your Telegram account first')
  const used = await tx('telegram_claims')
    .insert({ taskId, accountHash })
    .onConflict(['taskId', 'accountHash'])
    .ignore()
    .returning('taskId')
  if (used.length > 0) return accountHash
  throw new RuleError(
    'telegram_account_used',
    'The reward of this task was already paid for this Telegram account',
  )
}

const OLD_CLAIMS = `"createdAt" < now() - interval '1 year' and not exists (
  select from tasks t where t.id = telegram_claims."taskId" and (t.ends is null or t.ends > now()))`

/** Deletes expired codes, and which accounts were paid for tasks that are over, after a year. */
export async function deleteOldTelegramRows(db: Db): Promise<void> {
  const expired = () => db('telegram_accounts').where('codeExpiresAt', '<=', db.fn.now())
  await expired().whereNull('sealed').delete()
  await expired().update({ codeHash: null, codeExpiresAt: null })
  await (await engineOf(db)).deleteRows(db, 'telegram_claims', OLD_CLAIMS)
}

/** The next update to read, if the lease is free; one of more than twice `leaseMs` is of a clock moved back since. */
export async function leaseUpdates(db: Db, leaseMs: number): Promise<number | undefined> {
  const [row] = await db('telegram_updates')
    .where('leasedUntil', '<=', db.fn.now())
    .orWhereRaw(`"leasedUntil" > now() + 2 * ? * interval '1 millisecond'`, [leaseMs])
    .update({ leasedUntil: db.raw(`now() + ? * interval '1 millisecond'`, [leaseMs]) })
    .returning('nextUpdate')
  return row && Number(row.nextUpdate)
}

/** Keeps the lease of the update for `leaseMs` from now; false if another worker has read on. */
export async function extendLease(db: Db, leased: number, leaseMs: number): Promise<boolean> {
  const extended = await db('telegram_updates')
    .where({ nextUpdate: leased })
    .update({ leasedUntil: db.raw(`now() + ? * interval '1 millisecond'`, [leaseMs]) })
  return extended === 1
}

/** Records which update is next, and lets the next worker read; nothing if another has read on. */
export async function releaseUpdates(db: Db, leased: number, nextUpdate: number): Promise<void> {
  await db('telegram_updates')
    .where({ nextUpdate: leased })
    .update({ nextUpdate, leasedUntil: db.fn.now() })
}
