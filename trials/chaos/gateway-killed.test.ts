import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { type MemberSocket, Visitor } from '#scripts/testing/gateway/visitor'
import { ChaosProxy } from '#scripts/testing/gateway/wire/chaos-proxy'
import { SPEED } from '#trials/kit/checks'
import { type Load, startLoad } from '#trials/kit/load'
import { openSocket } from '#trials/kit/member'
import { reportTime } from '#trials/kit/report'
import { Stage } from '#trials/kit/stage'

const KILLS = 3
const MEMBERS = 6

let place: TestDatabase
let stage: Stage
let proxy: ChaosProxy
let load: Load
let sockets: MemberSocket[] = []

beforeAll(async () => {
  place = await testDatabase()
  stage = await Stage.start(place, { speed: SPEED })
  proxy = await ChaosProxy.start(stage.ports)
  load = await startLoad(stage.product, MEMBERS, 11)
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  await proxy?.close()
  await stage?.stop()
  await place?.drop()
})

const responses = () => load.tally.answers
const connected = () => sockets.filter((socket) => socket.connected).length

/** A member's socket through the load balancer; it reconnects like the client's. */
function reconnecting(visitor: Visitor): MemberSocket {
  const balanced = new Visitor({ ...stage.product, urls: [proxy.url] })
  balanced.jar = visitor.jar
  return openSocket(balanced)
}

it('acknowledged claims survive three gateway kills under load', async () => {
  sockets = load.visitors.map(reconnecting)
  await expect.poll(connected).toBe(MEMBERS)
  for (let kill = 0; kill < KILLS; kill++) {
    const gateway = stage.gateway(kill % stage.ports.length)
    const disconnected = new Promise((resolve) => {
      for (const socket of sockets) socket.once('disconnect', resolve)
    })
    const killedAt = Date.now()
    await gateway.stop('SIGKILL')
    await disconnected
    await expect.poll(connected, { interval: 20 }).toBe(MEMBERS)
    reportTime(`kill ${kill + 1}: all sockets reconnected after`, Date.now() - killedAt)
    await gateway.start()
    const before = responses()
    await expect.poll(responses).toBeGreaterThan(before + 20)
  }
  expect(await load.stop()).toEqual([])
  expect(load.tally.lost).toBeGreaterThan(0)
  expect(load.tally.responses['200 POST /api/mining/claim']).toBeGreaterThan(0)
  expect(await stage.unexpectedExits()).toEqual([])
})
