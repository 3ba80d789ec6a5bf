import type { Db, Tx } from '#db/postgres/statements/transaction'
import type { Language } from '#rules/members/languages'
import { PUSH_DEVICES_MAX } from '#rules/members/reminders'
import { decrypt, encrypt, keyedHashes } from '#runtime/secrets/encryption'

/** Where a browser gets its push messages (RFC 8030), and the keys that encrypt them (RFC 8291). */
export type PushSubscription = {
  /** URL of the browser's push service; a secret, because a post to it reaches the device. */
  endpoint: string
  /** Public key, an uncompressed point of P-256 in base64url. */
  p256dh: string
  /** Shared secret of 16 bytes in base64url. */
  auth: string
}

/** The browser that adds a subscription: its sign-in, its name in plain words, its language. */
export type PushDevice = {
  memberId: number
  signInName: string
  device: string
  language: Language
}

const PURPOSE = 'push subscription'
const ENDPOINT_PURPOSE = 'push endpoint'

/** Decrypts a stored subscription. */
export function openSubscription(dataKey: Buffer, sealed: Buffer): PushSubscription {
  return JSON.parse(decrypt(dataKey, PURPOSE, sealed).toString())
}

/** Deletes the member's oldest devices beyond `PUSH_DEVICES_MAX`. */
async function limitDevices(tx: Tx, memberId: number): Promise<void> {
  await tx.raw(
    `delete from push_subscriptions where id in (
       select id from push_subscriptions where "userId" = :memberId
       order by id desc offset ${PUSH_DEVICES_MAX})`,
    { memberId },
  )
}

/**
 * Stores the subscription of a browser. A browser has one: an earlier one of the same sign-in is
 * replaced, and an endpoint that another member used on that browser changes its owner.
 */
export async function addSubscription(
  tx: Tx,
  dataKey: Buffer,
  { memberId, signInName, device, language }: PushDevice,
  subscription: PushSubscription,
): Promise<void> {
  const [endpointHash, ...older] = keyedHashes(dataKey, ENDPOINT_PURPOSE, subscription.endpoint)
  const sealed = encrypt(dataKey, PURPOSE, Buffer.from(JSON.stringify(subscription)))
  await tx('push_subscriptions').where({ signInName }).whereNot({ endpointHash }).delete()
  await tx('push_subscriptions').whereIn('endpointHash', older).delete()
  await tx.raw(
    `insert into push_subscriptions
       ("userId", epoch, "signInName", "endpointHash", sealed, device, language)
     select id, "authEpoch", :signInName, :endpointHash, :sealed, :device, :language
     from users where id = :memberId
     on conflict ("endpointHash") do update set "userId" = excluded."userId",
       epoch = excluded.epoch, "signInName" = excluded."signInName", sealed = excluded.sealed,
       device = excluded.device, language = excluded.language, "createdAt" = case
         when push_subscriptions."userId" = excluded."userId" then push_subscriptions."createdAt"
         else excluded."createdAt" end`,
    { memberId, signInName, endpointHash, sealed, device, language },
  )
  await limitDevices(tx, memberId)
}

/** Deletes one subscription of the member; nothing if it is none of theirs. */
export async function removeSubscription(db: Db, memberId: number, id: number): Promise<void> {
  await db('push_subscriptions').where({ userId: memberId, id }).delete()
}

/** Deletes the subscription of a sign-in that has ended. */
export async function endSubscription(db: Db, signInName: string): Promise<void> {
  await db('push_subscriptions').where({ signInName }).delete()
}

/** Keeps the subscription of the sign-in that survives when the member's epoch is raised next. */
export async function keepSubscription(
  tx: Tx,
  memberId: number,
  signInName: string,
): Promise<void> {
  await tx('push_subscriptions')
    .where({ userId: memberId, signInName })
    .update({ epoch: tx.raw('epoch + 1') })
}
