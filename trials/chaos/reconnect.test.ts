import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import type { MemberSocket, Visitor } from '#scripts/testing/gateway/visitor'
import { quantile } from '#trials/bench/measure'
import { openSocket } from '#trials/kit/member'
import { reportTime } from '#trials/kit/report'
import { signedInMembers } from '#trials/kit/seed'
import { Stage } from '#trials/kit/stage'

const MEMBERS = 20
const SOCKETS_OF_A_MEMBER = 10
const SOCKETS = MEMBERS * SOCKETS_OF_A_MEMBER

let place: TestDatabase
let stage: Stage
const sockets: MemberSocket[] = []
/** A status of 0 is a request without an answer. */
let answers: { status: number; ms: number }[] = []

beforeAll(async () => {
  place = await testDatabase()
  stage = await Stage.start(place, { workers: 0 })
  for (const visitor of await signedInMembers(stage.product, MEMBERS)) {
    for (let n = 0; n < SOCKETS_OF_A_MEMBER; n++) sockets.push(openPage(visitor))
  }
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await stage?.stop()
  await place?.drop()
})

/** Its socket, and the read that it sends when the socket is open, again once after an answer 503. */
function openPage(visitor: Visitor): MemberSocket {
  const read = async () => {
    const sentAt = performance.now()
    const answer = visitor.fetch('/api/mining/status')
    const status = await answer.then(
      (response) => response.text().then(() => response.status),
      () => 0,
    )
    return { status, ms: performance.now() - sentAt }
  }
  const socket = openSocket(visitor)
  // 15 s in the client.
  socket.io.reconnectionDelayMax(2_000)
  return socket.on('connect', async () => {
    const first = await read()
    answers.push(first.status === 503 ? await sleep(1_000).then(read) : first)
  })
}

const connected = () => sockets.filter((socket) => socket.connected).length

it('200 sockets reconnect after a restart of all gateways while requests are answered', async () => {
  const gateways = [stage.gateway(0), stage.gateway(1)]
  await expect.poll(connected, { timeout: 60_000 }).toBe(SOCKETS)
  await Promise.all(gateways.map((gateway) => gateway.stop('SIGTERM')))
  await expect.poll(connected).toBe(0)
  answers = []
  await Promise.all(gateways.map((gateway) => gateway.start()))
  const upAt = Date.now()
  await expect.poll(connected, { timeout: 60_000, interval: 50 }).toBe(SOCKETS)
  reportTime(`${SOCKETS} sockets reconnected after`, Date.now() - upAt)
  await expect.poll(() => answers.length).toBeGreaterThanOrEqual(SOCKETS)
  const times = answers.map(({ ms }) => ms)
  reportTime('REST p95 during the reconnect', quantile(times, 0.95))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect(await stage.unexpectedExits()).toEqual([])
})
