import { BlockList, isIP } from 'node:net'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { DEFAULT_LANGUAGE, type Language } from '#rules/members/languages'
import { PUSH_DEVICES_MAX } from '#rules/members/reminders'
import { decrypt, encrypt, keyedHashes } from '#runtime/secrets/encryption'

/** IPv4 networks that no push service has: private, local, reserved, multicast (RFC 6890). */
const NOT_PUBLIC_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`
/** Within global unicast, those that embed IPv4 addresses or are reserved. */
const NOT_PUBLIC_V6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'
/** Global unicast; loopback, link-local, unique local and mapped IPv4 addresses are outside. */
const PUBLIC_V6 = '2000::/3'

function blockList(networks: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks.split(/\s+/)) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

const notPublicV4 = blockList(NOT_PUBLIC_V4, 'ipv4')
const notPublicV6 = blockList(NOT_PUBLIC_V6, 'ipv6')
const publicV6 = blockList(PUBLIC_V6, 'ipv6')

/** Whether an IP address belongs to the internet, not to this machine or a private network. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !notPublicV4.check(address, 'ipv4')
  if (isIP(address) !== 6) return false
  return publicV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6')
}

/**
 * Whether a URL from a browser has the form of a push endpoint: https on its usual port, no
 * credentials, no private address. A name must be resolved and checked again when it is connected.
 * @param allowsPrivate also http, any port and private addresses (`PUSH_PRIVATE_ENDPOINTS`)
 */
export function isPushEndpoint(text: string, allowsPrivate: boolean): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  if (username || password) return false
  if (allowsPrivate) return protocol === 'https:' || protocol === 'http:'
  if (protocol !== 'https:' || port !== '') return false
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(address) === 0 || isPublicAddress(address)
}

/** Where a browser gets its push messages (RFC 8030), and the keys that encrypt them (RFC 8291). */
export type PushSubscription = {
  /** URL of the browser's push service; a secret, because a post to it reaches the device. */
  endpoint: string
  /** Public key, an uncompressed point of P-256 in base64url. */
  p256dh: string
  /** Shared secret of 16 bytes in base64url. */
  auth: string
}

/** The browser that adds a subscription; one that renews its subscription does not name the language. */
type PushDevice = {
  memberId: number
  /** Of the sign-in. */
  epoch: number | undefined
  signInName: string
  device: string
  language?: Language
}

const PURPOSE = 'push subscription'
const ENDPOINT_PURPOSE = 'push endpoint'

/** Decrypts a stored subscription. */
export function openSubscription(dataKey: Buffer, sealed: Buffer): PushSubscription {
  return JSON.parse(decrypt(dataKey, PURPOSE, sealed).toString())
}

/** Stores a decrypted row under the hash of the current key; deletes it if the device has another row under that. */
export async function renewEndpointHash(
  tx: Tx,
  dataKey: Buffer,
  id: number,
  plain: Buffer,
): Promise<void> {
  const { endpoint }: PushSubscription = JSON.parse(plain.toString())
  const [endpointHash] = keyedHashes(dataKey, ENDPOINT_PURPOSE, endpoint)
  const other = await tx('push_subscriptions').where({ endpointHash }).whereNot({ id }).first('id')
  const row = tx('push_subscriptions').where({ id })
  await (other ? row.delete() : row.update({ endpointHash }))
}

/**
 * Stores a browser's only subscription: replaces that of its sign-in, and takes its endpoint from another member.
 * Returns false when the sign-in has ended meanwhile.
 */
export async function addSubscription(
  tx: Tx,
  dataKey: Buffer,
  { memberId, epoch, signInName, device, language }: PushDevice,
  subscription: PushSubscription,
): Promise<boolean> {
  // Not all that raises the epoch takes the member's lock. It waits for this row, and its trigger deletes the device.
  const current = tx('users').where({ id: memberId, authEpoch: epoch ?? -1 })
  if (!(await current.forShare().first('id'))) return false
  const [endpointHash, ...older] = keyedHashes(dataKey, ENDPOINT_PURPOSE, subscription.endpoint)
  const sealed = encrypt(dataKey, PURPOSE, Buffer.from(JSON.stringify(subscription)))
  const shown =
    language ?? (await tx('push_subscriptions').where({ signInName }).first('language'))?.language
  await tx('push_subscriptions').where({ signInName }).whereNot({ endpointHash }).delete()
  await tx('push_subscriptions').whereIn('endpointHash', older).delete()
  await tx.raw(
    `insert into push_subscriptions
       ("userId", epoch, "signInName", "endpointHash", sealed, device, language)
     select id, "authEpoch", :signInName, :endpointHash, :sealed, :device,
       coalesce(:language, language, :usual)
     from users where id = :memberId
     on conflict ("endpointHash") do update set "userId" = excluded."userId",
       epoch = excluded.epoch, "signInName" = excluded."signInName", sealed = excluded.sealed,
       device = excluded.device, language = excluded.language, "createdAt" = case
         when push_subscriptions."userId" = excluded."userId" then push_subscriptions."createdAt"
         else excluded."createdAt" end`,
    {
      ...{ memberId, signInName, endpointHash, sealed, device },
      language: shown ?? null,
      usual: DEFAULT_LANGUAGE,
    },
  )
  await tx.raw(
    `delete from push_subscriptions where id in (
       select id from push_subscriptions where "userId" = :memberId
       order by id desc offset ${PUSH_DEVICES_MAX})`,
    { memberId },
  )
  return true
}

/** Deletes one subscription of the member, such as that of a sign-in that ends; nothing if it is none of theirs. */
export async function removeSubscription(
  db: Db,
  memberId: number,
  which: { id: number } | { signInName: string },
): Promise<void> {
  await db('push_subscriptions')
    .where({ userId: memberId, ...which })
    .delete()
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
