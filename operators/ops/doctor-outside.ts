import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import path from 'node:path'
import type { TLSSocket } from 'node:tls'
import { RateLimits } from '#gateway/services/rate-limits'
import { DAY_MS } from '#rules/constants'
import type { OpsCall } from './command.ts'
import { ANSWER_MS, type Check, check, type Finding, ok, wrong } from './finding.ts'
import { withRedis } from './redis.ts'

const NO_ORIGIN = check('PUBLIC_ORIGIN is not set', 'set it to what members open')
const read = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) })

/** An address for documentation (RFC 5737), which no client has. */
const NOBODY = '192.0.2.1'

/** Undefined without REDIS_URL. Redis shows which address the gateway took: a limit counts by address. */
async function takesForgedAddress(origin: string, call: OpsCall): Promise<boolean | undefined> {
  return withRedis(call, async (redis) => {
    // Without an answer of Redis a limit counts in this process.
    await redis.ping()
    const limits = new RateLimits(redis, call.config)
    await limits.reset('check-address', NOBODY)
    await read(`${origin}/api/check/username/-`, { 'X-Forwarded-For': NOBODY })
    const uses = await limits.count('check-address', NOBODY)
    await limits.reset('check-address', NOBODY)
    return uses > 1
  })
}

export const proxy: Check = async (call) => {
  const { config } = call
  const [origin] = config.publicOrigins
  if (!origin) return NO_ORIGIN
  const sent = randomUUID()
  const answer = await read(`${origin}/healthz`, { 'X-Request-Id': sent })
  if (!answer.ok) {
    return wrong(`${origin} answers ${answer.status}`, 'look at the proxy and a gateway')
  }
  const answered = answer.headers.get('X-Request-Id') ?? ''
  if (!answered) return wrong(`${origin} is no gateway of this product`, 'look at the proxy')
  const upgrade = await upgraded(origin)
  if (upgrade) return upgrade
  const isForged = await takesForgedAddress(origin, call)
  if (isForged === undefined) {
    return check(
      `${origin} answers`,
      'set REDIS_URL to learn whether clients can choose their address',
    )
  }
  if (isForged) {
    return wrong(
      'clients can choose their address: the gateway takes the one that they send in X-Forwarded-For',
      'replace it in the proxy as docs/deploy/nginx.conf does; if it appends the client, ask from outside TRUSTED_PROXIES',
    )
  }
  // A gateway keeps the id of a request only if it trusts the proxy that sends it.
  if (answered === sent) {
    return check(
      `${origin} answers; clients can choose request ids`,
      'replace X-Request-Id in the proxy as docs/deploy/nginx.conf does, if logs must not hold ids of clients',
    )
  }
  if (config.trustedProxies.length === 0) {
    return check(`${origin} answers; no proxy is trusted`, 'set TRUSTED_PROXIES if there is one')
  }
  return ok(`${origin} answers, and clients can choose neither their address nor request ids`)
}

/** Whether a WebSocket gets through; pages poll without one. A socket without a sign-in is refused with 401. */
async function upgraded(origin: string): Promise<Finding | undefined> {
  const url = new URL('/socket.io/?EIO=4&transport=websocket', origin)
  const { request } = url.protocol === 'https:' ? https : await import('node:http')
  const status = await new Promise<number>((resolve, reject) => {
    request(url, {
      timeout: ANSWER_MS,
      headers: {
        Origin: origin,
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': Buffer.from(randomUUID().slice(0, 16)).toString('base64'),
      },
    })
      .once('upgrade', (_, socket) => {
        socket.destroy()
        resolve(101)
      })
      .once('response', ({ statusCode = 0 }: IncomingMessage) => resolve(statusCode))
      .once('timeout', () => reject(new Error('a WebSocket gets no answer')))
      .once('error', reject)
      .end()
  })
  if ([101, 401, 403].includes(status)) return undefined
  return wrong(`a WebSocket is answered ${status}`, 'let the proxy pass Upgrade for /socket.io/')
}

/** Certificates are renewed 30 days before their end: less than two weeks means that it fails. */
const RENEWED_DAYS = 14

export function certificateFinding(validTo: Date, protocol: string, now: number): Finding {
  const days = Math.floor((validTo.getTime() - now) / DAY_MS)
  const says = `${protocol}, the certificate ends in ${days} days`
  return days < RENEWED_DAYS
    ? wrong(says, 'renew it, and see why that did not happen by itself')
    : ok(says)
}

export const tls: Check = async ({ config }) => {
  const [origin] = config.publicOrigins
  if (!origin) return NO_ORIGIN
  const url = new URL(origin)
  if (url.protocol !== 'https:') return check(`${origin} has no TLS`, 'members need https')
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    https
      .get(`${origin}/healthz`, { agent: false, timeout: ANSWER_MS }, resolve)
      .once('timeout', () => reject(new Error('no answer')))
      .once('error', reject)
  })
  const socket = answer.socket as TLSSocket
  const validTo = new Date(socket.getPeerCertificate().valid_to)
  const protocol = socket.getProtocol() ?? 'TLS'
  answer.resume()
  if (!answer.headers['strict-transport-security']) {
    return wrong('no Strict-Transport-Security', 'the proxy must not remove headers')
  }
  const plain = await read(`http://${url.hostname}/healthz`).catch(() => undefined)
  if (plain && !plain.headers.get('Location')?.startsWith('https:')) {
    return wrong(`http://${url.hostname} does not lead to https`, 'redirect it in the proxy')
  }
  return certificateFinding(validTo, protocol, Date.now())
}

/** A base backup each night, as docs/operations/backup.md takes them. */
const OLDEST_BACKUP_DAYS = 2

export const baseBackup: Check = async ({ config: { backupFolder } }) => {
  const found = await fs.readdir(backupFolder).catch(() => undefined)
  if (!found) {
    return check(
      `the folder ${backupFolder} is not on this host`,
      'set BACKUP_FOLDER, or run doctor where base backups are',
    )
  }
  // One that is not verified yet, or has failed, ends with .part.
  const names = found.filter((name) => !name.endsWith('.part'))
  const times = await Promise.all(
    names.map(async (name) => (await fs.stat(path.join(backupFolder, name))).mtimeMs),
  )
  const newest = Math.max(...times)
  if (times.length === 0)
    return wrong(`no base backup in ${backupFolder}`, 'docs/operations/backup.md')
  const says = `the newest of ${times.length} is of ${new Date(newest).toISOString().slice(0, 16)}`
  return Date.now() - newest > OLDEST_BACKUP_DAYS * DAY_MS
    ? wrong(says, 'see why no backup was taken since')
    : ok(says)
}
