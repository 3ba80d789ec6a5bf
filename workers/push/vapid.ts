import type { Config } from '#runtime/config/config'

type VapidConfig = Pick<
  Config,
  'vapidPublicKey' | 'vapidPrivateKey' | 'vapidSubject' | 'publicOrigins' | 'mailFrom'
>

/** Where push services reach the operator if `VAPID_SUBJECT` is unset. */
function defaultSubject({ publicOrigins, mailFrom }: VapidConfig): string {
  const origin = publicOrigins.find((one) => one.startsWith('https:'))
  const [address = mailFrom] = /[^\s<>]+@[^\s<>]+/.exec(mailFrom) ?? []
  return origin ?? `mailto:${address}`
}

/** What signs push messages; undefined if they are not set up. */
export function vapidOf(config: VapidConfig) {
  const { vapidPublicKey: publicKey, vapidPrivateKey: privateKey } = config
  if (!publicKey || !privateKey) return undefined
  return { publicKey, privateKey, subject: config.vapidSubject ?? defaultSubject(config) }
}
