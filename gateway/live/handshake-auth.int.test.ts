import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { AuthSessionStore, authSessionName } from '#gateway/services/auth-session-store'
import { DAY_MS } from '#rules/constants'
import { redisForRequests } from '#runtime/redis'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMembers } from '#scripts/testing/db/members'
import { closeEnded, handshakeLoader } from './handshake-auth.ts'
import type { LiveServer } from './sockets.ts'

const MEMBERS = 200
let fresh: FreshDatabase
let redis: Redis
let authSessions: AuthSessionStore
let members: number[]
let statements = 0
let commands = 0

beforeAll(async () => {
  fresh = await freshDatabase()
  redis = redisForRequests(fresh.redisUrl) as Redis
  authSessions = new AuthSessionStore(redis, fresh.redisPrefix)
  members = await insertMembers(fresh.db, MEMBERS)
  for (const memberId of members) await signIn(memberId)
  fresh.db.on('query', () => {
    statements += 1
  })
  const send = redis.sendCommand.bind(redis)
  redis.sendCommand = (...command) => {
    commands += 1
    return send(...command)
  }
})
afterAll(async () => {
  redis?.disconnect()
  await fresh?.close()
})
beforeEach(() => {
  statements = 0
  commands = 0
})

const idOf = (memberId: number) => `browser-${memberId}`
const nameOf = (memberId: number) => authSessionName(idOf(memberId))
function signIn(memberId: number, { epoch = 0, lifeMs = DAY_MS } = {}): Promise<void> {
  const now = Date.now()
  return authSessions.set(idOf(memberId), { memberId, epoch, expiresAt: now + lifeMs }, now)
}
const loader = () => handshakeLoader({ authSessions, db: fresh.db })

it('200 handshakes at the same time cost at most one command and one statement per 64', async () => {
  const signIns = loader()
  const read = await Promise.all(members.map((memberId) => signIns.load(nameOf(memberId))))
  expect(read.map((data) => data?.memberId)).toEqual(members)
  expect(statements).toBeLessThanOrEqual(4)
  expect(commands).toBeLessThanOrEqual(4)
})

it('one batch is read at a time', async () => {
  const signIns = loader()
  let running = 0
  let most = 0
  const find = authSessions.find.bind(authSessions)
  authSessions.find = async (...names) => {
    running += 1
    most = Math.max(most, running)
    const found = await find(...names)
    // The statement of this batch is still to come when the next batch could start.
    await fresh.db.raw('select pg_sleep(0.05)')
    running -= 1
    return found
  }
  await Promise.all(members.map((memberId) => signIns.load(nameOf(memberId))))
  authSessions.find = find
  expect(most).toBe(1)
})

it('a sign-in that is being renewed in the new epoch of its member keeps its socket', async () => {
  const [renewed = 0, ended = 0] = await insertMembers(fresh.db, 2)
  await signIn(renewed)
  await signIn(ended)
  await fresh.db('users').whereIn('id', [renewed, ended]).update({ authEpoch: 1 })
  const told: number[] = []
  const sockets = [renewed, ended].map((memberId) => ({
    data: { memberId, authSession: nameOf(memberId) },
    emit: () => void told.push(memberId),
    disconnect: () => {},
  }))
  const io = { of: () => ({ sockets: new Map(sockets.entries()) }) } as unknown as LiveServer
  const checked = closeEnded(io, { authSessions, db: fresh.db })
  await sleep(200)
  await signIn(renewed, { epoch: 1 })
  await checked
  expect(told).toEqual([ended])
})

it('ended, expired, anonymous and unknown sign-ins are not valid', async () => {
  const [raised = 0, expired = 0, ended = 0, valid = 0] = members
  await fresh.db('users').where({ id: raised }).update({ authEpoch: 1 })
  await signIn(expired, { lifeMs: -1 })
  await authSessions.end(nameOf(ended))
  await authSessions.set('anonymous', { browserId: 'b' }, Date.now())
  const signIns = loader()
  const names = [raised, expired, ended, valid].map(nameOf)
  const read = [...names, authSessionName('anonymous'), 'nobody'].map((name) => signIns.load(name))
  expect((await Promise.all(read)).map((data) => data?.memberId)).toEqual([
    undefined,
    undefined,
    undefined,
    valid,
    undefined,
    undefined,
  ])
})

/** Lets every read that includes one of these names fail, as in a cluster that has lost a master. */
function loseNames(...lost: string[]) {
  const { find } = authSessions
  authSessions.find = (names, now) =>
    names.some((name) => lost.includes(name))
      ? Promise.reject(new Error('Redis is down'))
      : find.call(authSessions, names, now)
  return () => Object.assign(authSessions, { find })
}

it('what one sign-in of a batch cannot be read for rejects no other handshake', async () => {
  const [lost = '', valid = ''] = members.slice(4, 6).map(nameOf)
  const restore = loseNames(lost)
  const signIns = loader()
  const read = await Promise.allSettled([signIns.load(lost), signIns.load(valid)])
  restore()
  expect(read).toMatchObject([{ status: 'rejected' }, { value: { memberId: members[5] } }])
})

it('a check that cannot read one sign-in keeps its socket and closes those of ended ones', async () => {
  const [lost = 0, ended = 0] = await insertMembers(fresh.db, 2)
  await signIn(lost)
  const told: number[] = []
  const sockets = [lost, ended].map((memberId) => ({
    data: { memberId, authSession: nameOf(memberId) },
    emit: () => void told.push(memberId),
    disconnect: () => {},
  }))
  const io = { of: () => ({ sockets: new Map(sockets.entries()) }) } as unknown as LiveServer
  const restore = loseNames(nameOf(lost))
  const checked = closeEnded(io, { authSessions, db: fresh.db })
  await expect(checked).rejects.toThrow('Redis is down')
  restore()
  expect(told).toEqual([ended])
})

it('a failed read rejects its handshakes and the next batch is read', async () => {
  const signIns = loader()
  const restore = loseNames(nameOf(members[3] ?? 0))
  await expect(signIns.load(nameOf(members[3] ?? 0))).rejects.toThrow('Redis is down')
  restore()
  expect(await signIns.load(nameOf(members[3] ?? 0))).toMatchObject({ memberId: members[3] })
})
