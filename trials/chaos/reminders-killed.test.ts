import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestMails } from '#db/mails'
import { productNow } from '#db/postgres/connection/product-clock'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { addSubscription } from '#db/reminders/push-subscriptions'
import { freeze } from '#scripts/testing/db/clock'
import { type TestDatabase, testDatabase } from '#scripts/testing/db/database'
import { insertMember } from '#scripts/testing/db/members'
import { insertFinished, wantMail } from '#scripts/testing/db/reminders'
import type { PushDevice } from '#scripts/testing/workers/push-device'
import { type PushService, pushService } from '#scripts/testing/workers/push-service'
import { Stage } from '#trials/kit/stage'

const WAIT = { timeout: 60_000, interval: 50 }
let place: TestDatabase
let stage: Stage
let db: Db
let service: PushService

beforeAll(async () => {
  place = await testDatabase()
  service = await pushService()
  const env = { PUSH_PRIVATE_ENDPOINTS: 'on', JOB_LOCK_MS: '3000' }
  stage = await Stage.start(place, { gateways: 0, workers: 0, env })
  db = stage.product.db
  await freeze(db)
})
afterAll(async () => {
  await stage?.stop()
  await service?.close()
  await place?.drop()
})

/** A member whose session has ended, with a device and reminders by mail. */
async function endedSession(): Promise<PushDevice> {
  const memberId = await insertMember(db)
  await wantMail(db, memberId)
  const device = service.subscribe()
  const signIn = { memberId, epoch: 0, signInName: device.endpoint }
  const owner = { ...signIn, device: 'x', language: 'en' } as const
  const { dataKey } = stage.product.config
  await inTransaction(db, (tx) => addSubscription(tx, dataKey, owner, device.subscription))
  await insertFinished(db, [memberId], await productNow(db))
  return device
}

/** Instead of waiting for the lease of the killed process. */
const endLeases = () => db('reminders').whereNull('settledAt').update({ nextTryAt: db.fn.now() })

const open = async () => (await db('reminders').whereNull('settledAt')).length
const delivered = (device: PushDevice) =>
  service.deliveries.filter((one) => one.device === device).length

async function expectOneOfEach(device: PushDevice): Promise<void> {
  await expect.poll(open, WAIT).toBe(0)
  expect(service.shownOn(device)).toHaveLength(1)
  const { userId } = await db('push_subscriptions').orderBy('id', 'desc').first('userId')
  const { email } = await db('users').where({ id: userId }).first('email')
  const mails = await newestMails(db, stage.product.config.dataKey)
  expect(mails.filter(({ to }) => to === email)).toHaveLength(1)
  expect(await stage.unexpectedExits()).toEqual([])
}

it('a worker killed after a push and before its record: the device shows one notification', async () => {
  const first = await stage.startWorkers()
  const killed = new Promise((resolve) => {
    service.beforeAnswer = async () => {
      service.beforeAnswer = () => {}
      resolve(await first.stop('SIGKILL'))
    }
  })
  const device = await endedSession()
  expect(await killed).toBe('SIGKILL')
  expect(delivered(device)).toBe(1)
  expect(await db('reminders').whereNotNull('subscriptionId').first()).toMatchObject({
    settledAt: null,
  })
  const second = await stage.startWorkers()
  await endLeases()
  await expectOneOfEach(device)
  expect(delivered(device)).toBe(2)
  await second.stop('SIGTERM')
})

it('a worker killed before the push service accepts: the device shows one notification', async () => {
  const first = await stage.startWorkers()
  const killed = new Promise((resolve) => {
    service.beforeAccept = async () => {
      service.beforeAccept = () => true
      resolve(await first.stop('SIGKILL'))
      return false
    }
  })
  const device = await endedSession()
  expect(await killed).toBe('SIGKILL')
  expect(delivered(device)).toBe(0)
  const second = await stage.startWorkers()
  await endLeases()
  await expectOneOfEach(device)
  expect(delivered(device)).toBe(1)
  await second.stop('SIGTERM')
})
