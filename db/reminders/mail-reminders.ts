import { timingSafeEqual } from 'node:crypto'
import { isoTimes } from '#db/postgres/statements/times'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { PushDevice, ReminderSettings } from '#rules/members/account-snapshots'
import type { Language } from '#rules/members/languages'
import { UNSUBSCRIBE_PATH } from '#rules/members/reminders'
import type { Config } from '#runtime/config/config'
import { keyedHash, keyedHashes } from '#runtime/secrets/encryption'

const PREFERENCES_SQL = `
  select coalesce(p.mail, false) as mail, p."pushKinds" as kinds,
    json_build_object('on', coalesce(p.team, false),
      'inviter', case when r."deletedAt" is null then r.username end,
      'blocked', p."inviterBlockedAt" is not null) as team
  from users u left join reminder_preferences p on p."userId" = u.id
  left join users r on r.id = u."referredBy" where u.id = :memberId`

/** What a member has switched on; `signInName` is the sign-in of the request. */
export async function readReminders(
  db: Db,
  memberId: number,
  { signInName, pushKey }: { signInName: string | undefined; pushKey: string | undefined },
): Promise<ReminderSettings> {
  const { rows } = await db.raw(PREFERENCES_SQL, { memberId })
  const devices = await db('push_subscriptions')
    .where({ userId: memberId })
    .orderBy('id', 'desc')
    .select('id', 'device', 'createdAt as addedAt')
    .select(db.raw('coalesce("signInName" = ?, false) as current', [signInName ?? null]))
  return {
    ...rows[0],
    pushKey: pushKey ?? null,
    devices: devices.map(isoTimes<PushDevice>),
  }
}

type Preference = 'mail' | 'team' | 'inviterBlockedAt' | 'pushKinds'

/**
 * Stores a choice of the member; `inviterBlockedAt` counts whatever the switch `team` says. The language, that of the
 * page, is stored with the first choice, for members who have chosen none, and with each of mails.
 */
export async function storePreference(
  tx: Tx,
  memberId: number,
  language: Language,
  chosen: Partial<Record<Preference, unknown>>,
): Promise<void> {
  await tx('reminder_preferences')
    .insert({ userId: memberId, language, ...chosen })
    .onConflict('userId')
    .merge([...Object.keys(chosen), ...('mail' in chosen ? ['language'] : [])])
}

/** Switches reminders by mail off; does nothing for a deleted member, who has no preferences. */
export async function endMailReminders(db: Db, memberId: number): Promise<void> {
  await db('reminder_preferences').where({ userId: memberId }).update({ mail: false })
}

const PURPOSE = 'unsubscribe'
const TOKEN = /^([1-9]\d{0,9})\.([\w-]{43})$/

/** The member of a token of `unsubscribeUrl`; undefined for any other text. */
export function memberOfToken(dataKey: Buffer, token: string): number | undefined {
  const [, id, signature = ''] = TOKEN.exec(token) ?? []
  if (id === undefined) return undefined
  const fits = keyedHashes(dataKey, PURPOSE, id).some((hash) =>
    timingSafeEqual(Buffer.from(hash), Buffer.from(signature)),
  )
  return fits ? Number(id) : undefined
}

type Place = Pick<Config, 'publicOrigins' | 'port' | 'dataKey'>

/** The origin that mails link to; in development without `PUBLIC_ORIGIN` this machine. */
export function mailOrigin({ publicOrigins, port }: Pick<Place, 'publicOrigins' | 'port'>): string {
  return publicOrigins[0] ?? `http://localhost:${port}`
}

/**
 * The link that switches the member's reminders by mail off without a sign-in. Its token can do nothing else, and
 * lasts as long as its key, for old mails.
 */
export function unsubscribeUrl(config: Place, memberId: number): string {
  const token = `${memberId}.${keyedHash(config.dataKey, PURPOSE, String(memberId))}`
  return `${mailOrigin(config)}${UNSUBSCRIBE_PATH}?token=${token}`
}
