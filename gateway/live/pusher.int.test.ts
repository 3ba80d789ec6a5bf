import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { gatewayMetrics } from '#gateway/services/gateway-metrics'
import type { Config } from '#runtime/config/config'
import { createRegistry } from '#runtime/monitoring/registry'
import { NO_TRACING } from '#runtime/monitoring/tracing'
import type { Topic } from '#runtime/pubsub'
import { isOneServer } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember, insertMembers } from '#scripts/testing/db/members'
import { type SocketServer, startSocketServer } from '#scripts/testing/gateway/wire/socket-server'
import { createPusher } from './pusher.ts'

const services = {
  log: pino({ level: 'silent' }),
  config: { socketSlowReaderMs: 30_000 } as Config,
  metrics: gatewayMetrics(createRegistry()),
  tracing: NO_TRACING,
}
let fresh: FreshDatabase
let sockets: SocketServer
let pusher: ReturnType<typeof createPusher>
let reads: number
/** Packets that had been written at each read. */
let writtenAtRead: number[]
let written = 0
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  sockets = await startSocketServer()
  pusher = createPusher(sockets.io, { ...services, db: fresh.db })
  fresh.db.on('query', ({ sql }: { sql: string }) => {
    if (!sql.includes('from users u')) return
    reads += 1
    writtenAtRead.push(written)
  })
  sockets.io.engine.on('flush', () => {
    written += 1
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
  writtenAtRead = []
})

const add = (members: number[], topics: Topic[], to = pusher) =>
  to.add(members, topics, { sentAt: Date.now() })

/** Connects a socket of the member and collects what each event that it receives holds. */
async function eventsOf(member: number): Promise<string[]> {
  const events: string[] = []
  const socket = await sockets.connect(member)
  socket.onAny((event, update) => {
    events.push(event === 'changed' ? Object.keys(update).join() : event)
  })
  return events
}

it('500 changes of a member at the same time cost one read and one push', async () => {
  const events = await eventsOf(memberId)
  for (let i = 0; i < 500; i++) add([memberId], i % 2 ? ['wallet'] : ['mining'])
  await expect.poll(() => events.length).toBeGreaterThan(0)
  await sleep(100)
  expect(events).toEqual(['mining,wallet'])
  expect(reads).toBe(1)
})

it('members who change together are read in one query', async () => {
  const members = await insertMembers(fresh.db, 20)
  const events = await Promise.all(members.map(eventsOf))
  reads = 0
  for (const member of members) add([member], ['wallet'])
  await expect.poll(() => events.every((received) => received.length === 1)).toBe(true)
  expect(reads).toBe(1)
})

it('changes that follow a round within 25 ms share the next read', async () => {
  const events = await eventsOf(memberId)
  const [other = 0] = await insertMembers(fresh.db, 1)
  const otherEvents = await eventsOf(other)
  add([memberId], ['mining'])
  // A round starts in the next millisecond; both of these changes come while it reads.
  await expect.poll(() => reads, { interval: 1 }).toBe(1)
  add([memberId], ['wallet'])
  add([other], ['mining'])
  await expect.poll(() => [events, otherEvents].flat().length).toBe(3)
  expect(events).toEqual(['mining', 'wallet'])
  expect(reads).toBe(2)
})

// On Citus a read is several statements.
it.runIf(isOneServer())(
  '450 members who change together are read in three queries, one ahead of the pushes',
  async () => {
    const members = await insertMembers(fresh.db, 450)
    const events = await Promise.all(members.map(eventsOf))
    writtenAtRead = []
    written = 0
    add(members, ['mining'])
    await expect.poll(() => events.every((received) => received.length === 1)).toBe(true)
    expect(writtenAtRead).toEqual([0, 0, 200])
  },
)

it('a push arrives whole, whatever its letters and length', async () => {
  const socket = await sockets.connect(memberId)
  const names: string[] = []
  socket.on('changed', ({ wallet }) => names.push(wallet.tesp[0].name))
  for (const name of ['Ví của tôi ₫', 'ă'.repeat(20_000), '₫'.repeat(30_000)]) {
    await fresh.db('wallets').where({ userId: memberId }).update({ name })
    add([memberId], ['wallet'])
    await expect.poll(() => names.at(-1)).toBe(name)
  }
})

it('only the changed topics are pushed', async () => {
  const events = await eventsOf(memberId)
  add([memberId], ['team'])
  await expect.poll(() => events).toEqual(['team'])
})

it('100,000 changed members without a socket cost no read and under 500 ms of CPU time', async () => {
  const events = await eventsOf(memberId)
  const others = Array.from({ length: 100_000 }, (_, i) => memberId + 1 + i)
  const before = process.cpuUsage()
  add(others, ['mining', 'wallet'])
  const { user, system } = process.cpuUsage(before)
  await sleep(100)
  expect(reads).toBe(0)
  expect(events).toEqual([])
  expect((user + system) / 1000).toBeLessThan(500)
})

it('a failed snapshot read asks the clients to refetch', async () => {
  const events = await eventsOf(memberId)
  const db = fresh.pool(1)
  await db.destroy()
  const broken = createPusher(sockets.io, { ...services, db })
  add([memberId], ['wallet'], broken)
  await expect.poll(() => events).toEqual(['refetch'])
  await broken.close()
})

it('pushes and the delay since the publication of the oldest change are measured', async () => {
  const events = await eventsOf(memberId)
  const { pushes, pushDelay } = services.metrics
  const pushCount = async () => (await pushes.get()).values[0]?.value ?? 0
  const delaySum = async () => {
    const { values } = await pushDelay.get()
    return values.find(({ metricName }) => metricName === 'push_delay_seconds_sum')?.value ?? 0
  }
  const before = { pushes: await pushCount(), delay: await delaySum() }
  pusher.add([memberId], ['mining'], { sentAt: Date.now() - 7_000 })
  pusher.add([memberId], ['wallet'], { sentAt: Date.now() })
  await expect.poll(() => events).toEqual(['mining,wallet'])
  expect(await pushCount()).toBe(before.pushes + 1)
  const delay = (await delaySum()) - before.delay
  expect(delay).toBeGreaterThanOrEqual(7)
  // That of the oldest change, once.
  expect(delay).toBeLessThan(14)
})
