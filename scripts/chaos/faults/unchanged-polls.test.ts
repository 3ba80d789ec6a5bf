import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '#db/testing/database'
import { expectCleanAudit } from '#gateway/testing/expect-clean-audit'
import { newMember, type Visitor } from '#gateway/testing/visitor'
import { Stage } from '#scripts/chaos/stage'

/** The bound: a poll sent this long after a commit shows it (decision 17). */
const BOUND_MS = 5_000
const STATUS = '/api/mining/status'
const PUBLISHER = 0
const READER = 1

let place: TestDatabase
let stage: Stage

beforeAll(async () => {
  place = await testDatabase()
  stage = await Stage.start(place, { workers: 0 })
}, 120_000)
afterAll(async () => {
  await stage?.stop()
  await place?.drop()
})

async function etagOf(member: Visitor): Promise<string> {
  return (await member.fetch(STATUS, READER)).headers.get('ETag') ?? ''
}
const poll = (member: Visitor, etag: string) =>
  member.fetch(STATUS, READER, { headers: { 'If-None-Match': etag } })
const isActive = async (member: Visitor) =>
  (await stage.product.db('mining_sessions').where({ userId: member.user?.id, active: true }))
    .length > 0

it('polls show within 5 s what a gateway committed that was killed at any moment of its command', async () => {
  const members = await Promise.all(
    Array.from({ length: 8 }, () => newMember(stage.product, READER)),
  )
  for (const killAfterMs of [2, 6, 12]) {
    const before = await Promise.all(
      members.map(async (member) => ({
        member,
        etag: await etagOf(member),
        active: await isActive(member),
      })),
    )
    const commands = before.map(({ member, active }) => {
      const command = active ? 'POST /api/mining/stop' : 'POST /api/mining/start'
      return member.call(command, { gateway: PUBLISHER }).catch(() => {})
    })
    await sleep(killAfterMs)
    await stage.gateway(PUBLISHER).stop('SIGKILL')
    await Promise.all(commands)
    await sleep(BOUND_MS)
    for (const { member, etag, active } of before) {
      const isChanged = (await isActive(member)) !== active
      expect((await poll(member, etag)).status).toBe(isChanged ? 200 : 304)
    }
    await stage.gateway(PUBLISHER).start()
  }
  await expectCleanAudit(stage.product)
}, 120_000)
