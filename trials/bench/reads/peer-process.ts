import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Cookies from 'cookies'
import Koa from 'koa'
import pg from 'pg'
import { SNAPSHOT_SQL } from '#db/engine/postgres/member-statements'
import type { SnapshotRow } from '#db/mining/session-sql'
import { snapshotView } from '#db/mining/snapshots'
import { connectionTypes } from '#db/postgres/connection/connect'
import { cookieName } from '#gateway/auth/session-cookie'
import { listen } from '#gateway/http/http-server'
import { AuthSessionStore } from '#gateway/services/auth-session-store'
import { bucketOf } from '#rules/buckets'
import { readConfig } from '#runtime/config/config'
import { freePort } from '#runtime/config/free-port'
import { redisForRequests } from '#runtime/redis'
import { requirePeer } from '#trials/bench/peers'
import { serve } from '#trials/kit/fork'

// A server with two routes of the product and nothing else: the same signed cookie, the same read of
// Redis, the same SQL as a prepared statement of the driver, the same answer. `ok` answers a text.

export type PeerKind = 'koa' | 'fastify' | 'ok'

const config = readConfig(process.env)
const redis = redisForRequests(config.redisUrl)
const sessions = new AuthSessionStore(redis, config.redisPrefix)
const pool = new pg.Pool({
  connectionString: config.databaseUrl,
  max: config.databasePool,
  types: connectionTypes,
})
const SNAPSHOT = {
  name: 'member-snapshot',
  text: SNAPSHOT_SQL.replace(':id', '$1').replaceAll(':bucket', '$2'),
}

async function memberOf(request: IncomingMessage, response: ServerResponse) {
  const cookies = new Cookies(request, response, { keys: config.sessionKeys })
  const id = cookies.get(cookieName(config), { signed: true })
  const data = id ? await sessions.get(id, Date.now()) : undefined
  return data?.memberId === undefined ? undefined : data
}

/** The snapshot of the member who sent the request; undefined without a sign-in. */
async function snapshotFor(request: IncomingMessage, response: ServerResponse) {
  const session = await memberOf(request, response)
  if (session?.memberId === undefined) return undefined
  const values = [session.memberId, bucketOf(session.memberId)]
  const { rows } = await pool.query<SnapshotRow>({ ...SNAPSHOT, values })
  const [row] = rows
  if (!row || row.authEpoch !== session.epoch) return undefined
  return snapshotView(row)
}

async function answerTo(path: string, request: IncomingMessage, response: ServerResponse) {
  const snapshot = await snapshotFor(request, response)
  return path === '/api/wallet' ? snapshot?.wallet : snapshot?.mining
}

function koaServer() {
  const app = new Koa()
  app.use(async (ctx) => {
    const answer = await answerTo(ctx.path, ctx.req, ctx.res)
    ctx.status = answer ? 200 : 401
    ctx.body = answer ?? { message: 'Please sign in' }
  })
  return app
}

function okServer() {
  const app = new Koa()
  app.use((ctx) => {
    ctx.body = 'ok'
  })
  return app
}

type Reply = { raw: ServerResponse; code(status: number): Reply; send(body: unknown): Reply }
type Handler = (request: { raw: IncomingMessage }, reply: Reply) => Promise<Reply>
/** What is used of Fastify. */
type Fastify = () => {
  get(path: string, handler: Handler): void
  listen(options: { port: number; host: string }): Promise<string>
}

function fastifyServer() {
  const app = requirePeer<Fastify>('fastify')()
  for (const path of ['/api/mining/status', '/api/wallet']) {
    app.get(path, async ({ raw }, reply) => {
      const answer = await answerTo(path, raw, reply.raw)
      return reply.code(answer ? 200 : 401).send(answer ?? { message: 'Please sign in' })
    })
  }
  return app
}

const { host } = config
const CALLS = {
  /** Starts the server; returns its URL. */
  async listen(kind: PeerKind): Promise<string> {
    const port = await freePort()
    if (kind === 'fastify') await fastifyServer().listen({ port, host })
    else
      await listen(createServer((kind === 'koa' ? koaServer() : okServer()).callback()), port, host)
    return `http://${host}:${port}`
  },
}
export type PeerCalls = typeof CALLS
serve(CALLS)
