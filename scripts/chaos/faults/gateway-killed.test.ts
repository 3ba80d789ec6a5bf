import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '#db/testing/database'
import { type MemberSocket, Visitor } from '#gateway/testing/visitor'
import { ChaosProxy } from '#scripts/chaos/chaos-proxy'
import { type Load, startLoad } from '#scripts/chaos/load'
import { Stage } from '#scripts/chaos/stage'
import { tell } from '#scripts/chaos/tell'
import { SPEED } from '#scripts/chaos/torture/books'

const KILLS = 3
const MEMBERS = 6

let place: TestDatabase
let stage: Stage
let proxy: ChaosProxy
let load: Load
let sockets: MemberSocket[] = []

beforeAll(async () => {
  place = await testDatabase()
  stage = await Stage.set(place, { speed: SPEED })
  proxy = await ChaosProxy.start(stage.ports)
  load = await startLoad(stage.product, MEMBERS, 11)
}, 120_000)
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await proxy?.close()
  await stage?.stop()
  await place?.drop()
})

const answers = () => Object.values(load.tally.answers).reduce((a, b) => a + b, 0)
const connected = () => sockets.filter((socket) => socket.connected).length

/** A member's socket through the load balancer, that comes back as the client's does. */
function reconnecting(visitor: Visitor): MemberSocket {
  const balanced = new Visitor({ ...stage.product, urls: [proxy.url] })
  balanced.jar = visitor.jar
  const socket = balanced.socket()
  socket.io.reconnection(true)
  socket.io.reconnectionDelay(1_000)
  socket.io.randomizationFactor(0.6)
  return socket
}

it('keeps every acknowledged claim when gateways are killed three times under load', async () => {
  sockets = load.visitors.map(reconnecting)
  await expect.poll(connected, { timeout: 10_000 }).toBe(MEMBERS)
  for (let kill = 0; kill < KILLS; kill++) {
    const killed = kill % stage.ports.length
    const lost = new Promise((resolve) => {
      for (const socket of sockets) socket.once('disconnect', resolve)
    })
    const killedAt = Date.now()
    await stage.endGateway(killed, 'SIGKILL')
    await lost
    await expect.poll(connected, { timeout: 15_000, interval: 20 }).toBe(MEMBERS)
    tell(`kill ${kill + 1}: all sockets stand again after`, Date.now() - killedAt)
    await stage.startGateway(killed)
    const answered = answers()
    await expect.poll(answers, { timeout: 15_000 }).toBeGreaterThan(answered + 20)
  }
  expect(await load.stop()).toEqual([])
  expect(load.tally.lost).toBeGreaterThan(0)
  expect(load.tally.answers['200 POST /api/mining/claim']).toBeGreaterThan(0)
  expect(await stage.deaths()).toEqual([])
}, 120_000)
