import type { IncomingMessage } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { RequestDetails } from 'web-push'
import { isPushEndpoint, type PushSubscription } from '#db/reminders/push-subscriptions'
import { retryAfterMs } from '#rules/retry-after'
import type { Config } from '#runtime/config/config'
import { PrivateAddressError, publicLookup } from './public-lookup.ts'

type VapidConfig = Pick<Config, 'vapidPublicKey' | 'vapidPrivateKey' | 'publicOrigins' | 'mailFrom'>

/** Where push services reach the operator (VAPID subject). */
function subjectOf({ publicOrigins, mailFrom }: VapidConfig): string {
  const origin = publicOrigins.find((one) => one.startsWith('https:'))
  const [address = mailFrom] = /[^\s<>]+@[^\s<>]+/.exec(mailFrom) ?? []
  return origin ?? `mailto:${address}`
}

function vapidOf(config: VapidConfig) {
  const { vapidPublicKey: publicKey, vapidPrivateKey: privateKey } = config
  if (!publicKey || !privateKey) return undefined
  return { publicKey, privateKey, subject: subjectOf(config) }
}

const TIMEOUT_MS = 10_000

export type PushMessage = {
  payload: string
  /** A message that waits at the push service is replaced by a later one of the same topic. */
  topic: string
  ttlSeconds: number
}

export type PushResult =
  | { state: 'accepted' }
  /** The subscription no longer exists, or leads into a private network. */
  | { state: 'gone'; reason: string }
  | { state: 'rejected'; reason: string }
  | { state: 'unavailable'; reason: string; retryAfterMs?: number }

type PushConfig = VapidConfig & Pick<Config, 'pushPrivateEndpoints'>

function resultOf({ statusCode: status = 0, headers }: IncomingMessage): PushResult {
  const reason = `status ${status}`
  if (status >= 200 && status < 300) return { state: 'accepted' }
  if (status === 404 || status === 410) return { state: 'gone', reason }
  if (status !== 429 && status < 500) return { state: 'rejected', reason }
  const asked = retryAfterMs(headers['retry-after'], Date.now())
  return { state: 'unavailable', reason, retryAfterMs: asked }
}

/** Redirects are not followed, and the body of the answer is not read. */
function post(
  { endpoint, method, headers, body }: RequestDetails,
  lookup: LookupFunction | undefined,
): Promise<PushResult> {
  const request: typeof http.request = endpoint.startsWith('http:') ? http.request : https.request
  const options = {
    method,
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(lookup && { lookup }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(endpoint, options, (answer) => {
      answer.on('error', () => {})
      answer.resume()
      resolve(resultOf(answer))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export async function sendPush(
  config: PushConfig,
  { endpoint, p256dh, auth }: PushSubscription,
  { payload, topic, ttlSeconds }: PushMessage,
  lookup = publicLookup(),
): Promise<PushResult> {
  const vapidDetails = vapidOf(config)
  if (!vapidDetails) return { state: 'rejected', reason: 'VAPID_PRIVATE_KEY is not set' }
  const allowsPrivate = config.pushPrivateEndpoints
  if (!isPushEndpoint(endpoint, allowsPrivate)) {
    return { state: 'gone', reason: 'the endpoint is not public' }
  }
  // Loaded with the first message: most workers processes send none.
  const { default: webPush } = await import('web-push')
  const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails,
    TTL: ttlSeconds,
    topic,
    urgency: 'normal',
    contentEncoding: 'aes128gcm',
  })
  try {
    return await post(details, allowsPrivate ? undefined : lookup)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const state = error instanceof PrivateAddressError ? 'gone' : 'unavailable'
    return { state, reason }
  }
}
