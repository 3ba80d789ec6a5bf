import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import Koa from 'koa'
import pg from 'pg'
import { SNAPSHOT_SQL } from '#db/engine/postgres/member-statements'
import type { SnapshotRow } from '#db/mining/session-sql'
import { snapshotView } from '#db/mining/snapshots'
import { connectionTypes } from '#db/postgres/connection/pool'
import { cookieName } from '#gateway/auth/session-cookie'
import { listen } from '#gateway/http/http-server'
import { securityHeaderList } from '#gateway/security/security-headers'
import { type AuthSessionData, authSessionName } from '#gateway/services/auth-session-store'
import { bucketOf } from '#rules/buckets'
import { readConfig } from '#runtime/config/config'
import { freePort } from '#runtime/config/free-port'
import { redisForRequests } from '#runtime/redis'
import { requirePeer } from '#trials/bench/peers'
import { serve } from '#trials/kit/fork'

// What an engineer writes in an afternoon: the sign-in from Redis by a signed cookie, one named statement a request.
// It lacks limits, request ids, ETags, batches of members, error answers, metrics, logs and a drain.

export type PeerKind = 'fastify' | 'ok'

const config = readConfig(process.env)
const redis = redisForRequests(config.redisUrl)
const pool = new pg.Pool({
  connectionString: config.databaseUrl,
  max: config.databasePool,
  types: connectionTypes,
})
const STATUS = {
  name: 'status',
  text: SNAPSHOT_SQL.replace(':id', '$1').replaceAll(':bucket', '$2'),
}
const WALLET = {
  name: 'wallet',
  text: `select u."authEpoch", w.id, w.name, w.balance, w."usdtBalance",
      (extract(epoch from statement_timestamp()) * 1000)::float8 as "asOf"
    from users u join wallets w on w.bucket = $2 and w."userId" = u.id where u.id = $1`,
}

const [key = ''] = config.sessionKeys
const COOKIES = new RegExp(
  `${cookieName(config)}=([\\w-]+);.*${cookieName(config)}\\.sig=([\\w-]+)`,
)

async function signInOf({ headers }: IncomingMessage): Promise<AuthSessionData | undefined> {
  const [, id, signature = ''] = COOKIES.exec(headers.cookie ?? '') ?? []
  if (!id) return undefined
  const given = Buffer.from(signature)
  const expected = Buffer.from(
    createHmac('sha1', key)
      .update(`${cookieName(config)}=${id}`)
      .digest('base64url'),
  )
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const text = await redis.get(`${config.redisPrefix}:auth:${authSessionName(id)}`)
  const session: AuthSessionData | undefined = text ? JSON.parse(text) : undefined
  return session?.memberId === undefined ? undefined : session
}

async function answerTo(path: string, request: IncomingMessage) {
  const session = await signInOf(request)
  if (session?.memberId === undefined) return undefined
  const values = [session.memberId, bucketOf(session.memberId)]
  if (path === '/api/wallet') {
    const { rows } = await pool.query({ ...WALLET, values })
    const [{ id, name, balance, usdtBalance, asOf, authEpoch }] = rows
    return authEpoch === session.epoch
      ? { tesp: [{ id, name, balance }], usdtBalance, asOf }
      : undefined
  }
  const { rows } = await pool.query<SnapshotRow>({ ...STATUS, values })
  const [row] = rows
  if (!row || row.authEpoch !== session.epoch) return undefined
  return snapshotView(row).mining
}

const headers: Record<string, string> = {
  ...Object.fromEntries(await securityHeaderList(config)),
  'Cache-Control': 'no-store',
}

function okServer() {
  const app = new Koa()
  app.use((ctx) => {
    ctx.body = 'ok'
  })
  return app
}

type Reply = {
  code(status: number): Reply
  headers(values: Record<string, string>): Reply
  send(body: unknown): Reply
}
type Handler = (request: { raw: IncomingMessage }, reply: Reply) => Promise<Reply>
type Fastify = () => {
  get(path: string, handler: Handler): void
  listen(options: { port: number; host: string }): Promise<string>
}

function fastifyServer() {
  const app = requirePeer<Fastify>('fastify')()
  for (const path of ['/api/mining/status', '/api/wallet']) {
    app.get(path, async ({ raw }, reply) => {
      const answer = await answerTo(path, raw)
      return reply
        .code(answer ? 200 : 401)
        .headers(headers)
        .send(answer ?? { message: 'Please sign in' })
    })
  }
  return app
}

const { host } = config
const CALLS = {
  async listen(kind: PeerKind): Promise<string> {
    const port = await freePort()
    if (kind === 'fastify') await fastifyServer().listen({ port, host })
    else await listen(createServer(okServer().callback()), port, host)
    return `http://${host}:${port}`
  },
}
export type PeerCalls = typeof CALLS
serve(CALLS)
