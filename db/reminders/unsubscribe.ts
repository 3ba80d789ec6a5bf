import { timingSafeEqual } from 'node:crypto'
import { UNSUBSCRIBE_PATH } from '#rules/members/reminders'
import type { Config } from '#runtime/config/config'
import { keyedHash, keyedHashes } from '#runtime/secrets/encryption'

const PURPOSE = 'unsubscribe'
const TOKEN = /^([1-9]\d{0,9})\.([\w-]{43})$/

/**
 * A token that allows to switch off the reminders by mail of a member, and nothing else. It lasts as
 * long as the key of `DATA_KEY` that signed it, because a link in an old mail has to work.
 */
export function unsubscribeToken(dataKey: Buffer, memberId: number): string {
  return `${memberId}.${keyedHash(dataKey, PURPOSE, String(memberId))}`
}

/** The member of a token; undefined for any text that `unsubscribeToken` did not return. */
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

/** The link that switches the member's reminders by mail off without a sign-in. */
export function unsubscribeUrl(config: Place, memberId: number): string {
  const token = unsubscribeToken(config.dataKey, memberId)
  return `${mailOrigin(config)}${UNSUBSCRIBE_PATH}?token=${token}`
}
