import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMember, insertMembers } from '#db/testing/members'
import type { Services } from '#gateway/services/services'
import { type OpenSockets, openSockets } from '#gateway/testing/open-sockets'
import { createPusher } from './pusher.ts'

let fresh: FreshDatabase
let sockets: OpenSockets
let pusher: ReturnType<typeof createPusher>
let reads: number
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  sockets = await openSockets()
  const services = { db: fresh.db, log: pino({ level: 'silent' }) } as Services
  pusher = createPusher(sockets.io, services)
  fresh.db.on('query', () => {
    reads += 1
  })
})
afterAll(async () => {
  await pusher?.close()
  await sockets?.close()
  await fresh?.close()
})
beforeEach(async () => {
  memberId = await insertMember(fresh.db)
  reads = 0
})

/** Everything that such a socket is pushed from now on, by name. */
async function heardBy(member: number): Promise<string[]> {
  const heard: string[] = []
  const socket = await sockets.connect(member)
  socket.onAny((event) => heard.push(event))
  return heard
}

it('answers many signals for a member within 25 ms by one read and one push', async () => {
  const heard = await heardBy(memberId)
  for (let i = 0; i < 500; i++) pusher.add([memberId], i % 2 ? ['wallet'] : ['mining'])
  await expect.poll(() => heard.length).toBeGreaterThan(0)
  await sleep(100)
  expect(heard).toEqual(['mining', 'wallet', 'activity'])
  expect(reads).toBe(1)
})

it('reads members who changed together in one query', async () => {
  const members = await insertMembers(fresh.db, 20)
  const heard = await Promise.all(members.map(heardBy))
  reads = 0
  for (const member of members) pusher.add([member], ['wallet'])
  await expect.poll(() => heard.every((events) => events.length === 2)).toBe(true)
  expect(reads).toBe(1)
})

it('tells each screen only what it asked to know', async () => {
  const heard = await heardBy(memberId)
  pusher.add([memberId], ['team'])
  await expect.poll(() => heard).toEqual(['team'])
})

it('reads nothing for 100,000 members without a socket, and is done with them at once', async () => {
  const heard = await heardBy(memberId)
  const others = Array.from({ length: 100_000 }, (_, i) => memberId + 1 + i)
  const since = performance.now()
  pusher.add(others, ['mining', 'wallet'])
  const took = performance.now() - since
  await sleep(100)
  expect(reads).toBe(0)
  expect(heard).toEqual([])
  expect(took).toBeLessThan(500)
})

it('asks the members of a push that could not be read to fetch', async () => {
  const heard = await heardBy(memberId)
  const lost = { db: fresh.pool(1), log: pino({ level: 'silent' }) } as Services
  await lost.db.destroy()
  const broken = createPusher(sockets.io, lost)
  broken.add([memberId], ['wallet'])
  await expect.poll(() => heard).toEqual(['refetch'])
  await broken.close()
})
