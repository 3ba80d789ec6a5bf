import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { type Gateway, startGateway } from '#gateway/server'
import { authSessionName } from '#gateway/services/auth-session-store'
import { publishChange } from '#operators/ops/redis'
import { MINUTE_MS } from '#rules/constants'
import { signInsKey } from '#runtime/redis/sign-in-networks'
import { advance } from '#scripts/testing/db/clock'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'
import { type LossyRedis, lossyRedis } from '#scripts/testing/gateway/wire/lossy-redis'

/** The bound: a poll sent this long after a commit shows it (decision 17). */
const BOUND_MS = 5_000
const STATUS = '/api/mining/status'
const ROUTES = [STATUS, '/api/wallet']
/** Longer than the time between two reads of the log: rows of earlier changes drop no entry after it. */
const LOG_READ_MS = 1_500
/** Its Redis loses what it sends to subscribers, if the test says so. */
const LOSSY_GATEWAY = 1

const product = useProduct({ frozen: true, audited: true })
const member = useMember(product)
let redis: LossyRedis
let lossy: Gateway

beforeAll(async () => {
  redis = await lossyRedis(product.config.redisUrl)
  lossy = await startGateway({ ...product.config, redisUrl: redis.url }, { clientRoot: '/nowhere' })
  product.urls.push(`http://127.0.0.1:${lossy.port}`)
})
beforeEach(() => {
  redis.losing = false
})
afterAll(async () => {
  redis.losing = false
  await lossy.close()
  await redis.close()
})

const memberId = () => member.user?.id ?? 0
const run = (work: (tx: Tx) => Promise<unknown>) => inTransaction(product.db, work)
const poll = (who: Visitor, etag: string, path = STATUS, gateway = 0, init: RequestInit = {}) =>
  who.fetch(path, gateway, { ...init, headers: { 'If-None-Match': etag } })

async function etagOf(who: Visitor, path = STATUS, gateway = 0): Promise<string> {
  return (await who.fetch(path, gateway)).headers.get('ETag') ?? ''
}

/** Answers of the first gateway that were decided by memory. */
async function decidedByMemory(): Promise<number> {
  const polls = await product.registries[0]?.getSingleMetric('polls_total')?.get()
  return polls?.values.find(({ labels }) => labels.decided_by === 'memory')?.value ?? 0
}

/** Runs `work` while no statement can read or write these tables. */
async function withoutTables(tables: string[], work: () => Promise<void>): Promise<void> {
  const tx = await product.db.transaction()
  await tx.raw(`lock table ${tables.join(', ')} in access exclusive mode`)
  try {
    await work()
  } finally {
    await tx.rollback()
  }
}
const TABLES = ['users', 'wallets', 'mining_stats', 'mining_sessions', 'product_clock']

/** A read of the log that a stalled machine delays rightly sends polls to Postgres. */
const BY_MEMORY = { retry: 5 }

describe('an unchanged poll', () => {
  it(
    'an unchanged poll is answered while no table of members can be read, for longer than the bound',
    BY_MEMORY,
    async () => {
      await member.call('POST /api/mining/start')
      await sleep(LOG_READ_MS)
      const etags = [await etagOf(member), await etagOf(member, '/api/wallet')]
      await withoutTables(TABLES, async () => {
        for (const end = Date.now() + 2 * BOUND_MS; Date.now() < end; await sleep(500)) {
          for (const [i, path] of ROUTES.entries()) {
            const signal = AbortSignal.timeout(3_000)
            const { status } = await poll(member, etags[i] ?? '', path, 0, { signal })
            expect(status).toBe(304)
          }
        }
      })
    },
  )

  it('a change of another member leaves the poll decided by memory', BY_MEMORY, async () => {
    const other = await newMember(product)
    await sleep(LOG_READ_MS)
    const etag = await etagOf(member)
    await other.call('POST /api/mining/start')
    await sleep(BOUND_MS)
    const before = await decidedByMemory()
    expect((await poll(member, etag)).status).toBe(304)
    expect(await decidedByMemory()).toBe(before + 1)
  })

  it('polls are decided by Postgres while the poll log cannot be read', async () => {
    const etag = await etagOf(member)
    await withoutTables(['member_changes'], async () => {
      await sleep(BOUND_MS)
      const before = await decidedByMemory()
      expect((await poll(member, etag)).status).toBe(304)
      await sleep(BOUND_MS)
      expect((await poll(member, etag)).status).toBe(304)
      expect(await decidedByMemory()).toBe(before)
    })
    const before = await decidedByMemory()
    const polled = async () => {
      await poll(member, etag)
      return decidedByMemory()
    }
    await expect.poll(polled).toBeGreaterThan(before)
  })
})

describe('a change', () => {
  it('a command is shown by its gateway at once, without its own message', async () => {
    const etag = await etagOf(member, STATUS, LOSSY_GATEWAY)
    redis.losing = true
    await member.call('POST /api/mining/start', { gateway: LOSSY_GATEWAY })
    expect((await poll(member, etag, STATUS, LOSSY_GATEWAY)).status).toBe(200)
  })

  it('a change that its publisher did not live to announce is shown within 5 s', async () => {
    const etag = await etagOf(member)
    expect((await poll(member, etag)).status).toBe(304)
    // What a process leaves that is killed between COMMIT and PUBLISH.
    await run((tx) => startMining(tx, memberId()))
    await sleep(BOUND_MS)
    const answer = await poll(member, etag)
    expect([answer.status, await answer.json()]).toMatchObject([200, { active: true }])
  })

  it('a change of balances without a message is shown within 5 s', async () => {
    await run((tx) => startMining(tx, memberId()))
    await advance(product.db, MINUTE_MS)
    await run((tx) => stopMining(tx, memberId()))
    await sleep(LOG_READ_MS)
    const etag = await etagOf(member, '/api/wallet')
    await run((tx) => claimRewards(tx, memberId()))
    await sleep(BOUND_MS)
    expect((await poll(member, etag, '/api/wallet')).status).toBe(200)
  })

  it('a change whose message is lost on the way to a gateway is shown there within 5 s', async () => {
    const etag = await etagOf(member, STATUS, LOSSY_GATEWAY)
    redis.losing = true
    await member.call('POST /api/mining/start')
    await sleep(BOUND_MS)
    expect((await poll(member, etag, STATUS, LOSSY_GATEWAY)).status).toBe(200)
  })

  it('a message of another process, without a row in the log, ends the memory of a poll', async () => {
    await sleep(LOG_READ_MS)
    const etag = await etagOf(member)
    const isByMemory = async () => {
      const before = await decidedByMemory()
      expect((await poll(member, etag)).status).toBe(304)
      return (await decidedByMemory()) > before
    }
    await expect.poll(isByMemory).toBe(true)
    const place = { config: product.config, redisUrl: product.config.redisUrl }
    await publishChange(place, { kind: 'members', memberIds: [memberId()], topics: ['mining'] })
    await expect.poll(isByMemory, { interval: 10, timeout: 20_000 }).toBe(false)
  })

  it('a change during a lost connection to Redis is shown within 5 s', async () => {
    const etag = await etagOf(member, STATUS, LOSSY_GATEWAY)
    redis.cut()
    await member.call('POST /api/mining/start')
    await sleep(BOUND_MS)
    expect((await poll(member, etag, STATUS, LOSSY_GATEWAY)).status).toBe(200)
  })

  it('a live page reads everything after its gateway lost the connection to Redis, not before', async () => {
    let refetches = 0
    const socket = await member.connected(LOSSY_GATEWAY)
    socket.on('refetch', () => refetches++)
    await sleep(500)
    expect(refetches).toBe(0)
    redis.cut()
    await expect.poll(() => refetches).toBe(1)
  })

  it('a sign-in that ended without a message is answered 401 within 5 s', async () => {
    const etag = await etagOf(member)
    await product.db('users').where({ id: memberId() }).increment('authEpoch', 1)
    await sleep(BOUND_MS)
    expect((await poll(member, etag)).status).toBe(401)
  })

  it('a sign-out ends polls at once on every gateway', async () => {
    const etags = [await etagOf(member), await etagOf(member, STATUS, LOSSY_GATEWAY)]
    redis.losing = true
    const cookie = member.jar.header() ?? ''
    await member.call('POST /api/logout')
    for (const [gateway, etag] of etags.entries()) {
      const url = `${product.urls[gateway]}${STATUS}`
      const { status } = await fetch(url, { headers: { Cookie: cookie, 'If-None-Match': etag } })
      expect(status).toBe(401)
    }
  })

  it('a poll with a forged signature of a known cookie is answered 401', async () => {
    const etag = await etagOf(member)
    const cookie = member.jar.header() ?? ''
    const send = (header: string) =>
      fetch(`${product.urls[0]}${STATUS}`, { headers: { Cookie: header, 'If-None-Match': etag } })
    expect((await send(cookie)).status).toBe(304)
    const forged = cookie.replace(
      /(tesp\.sig=)(.)/,
      (_, name, first) => `${name}${first === '_' ? 'A' : '_'}`,
    )
    expect(forged).not.toBe(cookie)
    expect((await send(forged)).status).toBe(401)
  })

  it('a moved product clock is shown within 5 s', async () => {
    await member.call('POST /api/mining/start')
    await advance(product.db, MINUTE_MS)
    await member.call('POST /api/mining/stop')
    await member.call('POST /api/mining/claim')
    await sleep(LOG_READ_MS)
    const etag = await etagOf(member)
    await advance(product.db, 21 * MINUTE_MS)
    await sleep(BOUND_MS)
    const answer = await poll(member, etag)
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { cooldown: { inCooldown: false } },
    ])
  })

  it('polls of a member in many racing commands end with the state of the database', async () => {
    let etag = await etagOf(member)
    for (let i = 0; i < 10; i++) {
      const command = i % 2 ? 'POST /api/mining/stop' : 'POST /api/mining/start'
      const polls = Array.from({ length: 20 }, () => poll(member, etag))
      await Promise.all([member.call(command), ...polls])
      expect((await poll(member, etag)).status).toBe(200)
      etag = await etagOf(member)
    }
  })
})

describe('a full answer', () => {
  const HEADERS_OF_ONE_REQUEST = ['date', 'x-request-id']
  const read = async (path: string) => {
    const { status, headers } = await member.fetch(path)
    const names = Object.fromEntries(
      [...headers].filter(([name]) => !HEADERS_OF_ONE_REQUEST.includes(name)),
    )
    return { status, headers: { ...names, 'content-length': '' } }
  }

  it.each(ROUTES)('of %s has the status and headers that Koa gives it', async (path) => {
    // A query is unusual, so Koa answers.
    const byKoa = await read(`${path}?by=koa`)
    await read(path)
    expect(await read(path)).toEqual(byKoa)
    expect(byKoa.headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
  })

  it('keeps its sign-in alive and listed: one read a minute passes through Koa', async () => {
    const { redisUrl, redisPrefix } = product.config
    const keys = new Redis(redisUrl)
    onTestFinished(() => keys.disconnect())
    // At the other gateway: each records a sign-in at most once in five minutes.
    const fresh = await newMember(product, LOSSY_GATEWAY)
    const list = signInsKey(redisPrefix, fresh.user?.id ?? 0)
    const session = `${redisPrefix}:auth:${authSessionName(fresh.jar.get('tesp') ?? '')}`
    expect(await keys.del(list)).toBe(1)
    expect(await keys.pexpire(session, MINUTE_MS)).toBe(1)
    await fresh.fetch(STATUS, 0)
    await fresh.fetch(STATUS, 0)
    await expect.poll(() => keys.exists(list)).toBe(1)
    expect(await keys.pttl(session)).toBeGreaterThan(MINUTE_MS)
  })

  it('of a sign-in that has ended is 401', async () => {
    const fresh = await newMember(product)
    await fresh.fetch(STATUS)
    await fresh.fetch(STATUS)
    await product.db('users').where({ id: fresh.user?.id }).increment('authEpoch')
    expect((await fresh.fetch(STATUS)).status).toBe(401)
  })

  it('that cannot be read is one clear error, without a stack', async () => {
    await member.fetch(STATUS)
    await product.db.raw('alter table mining_sessions rename to mining_sessions_away')
    const { status, headers, body } = await member
      .call('GET /api/mining/status')
      .finally(() => product.db.raw('alter table mining_sessions_away rename to mining_sessions'))
    expect([status, body]).toEqual([500, { message: 'Something went wrong' }])
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  })
})
