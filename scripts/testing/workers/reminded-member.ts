import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { newestMails } from '#db/mails'
import { productNow } from '#db/postgres/connection/product-clock'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { addSubscription } from '#db/reminders/push-subscriptions'
import type { Language } from '#rules/members/languages'
import { freeze } from '#scripts/testing/db/clock'
import { insertMember } from '#scripts/testing/db/members'
import { insertFinished } from '#scripts/testing/db/reminders'
import { endSessionsDue } from '#workers/jobs/end-sessions'
import { sendReminders } from '#workers/jobs/send-reminders'
import { type TestContext, testContext } from './context.ts'
import type { PushDevice } from './push-device.ts'
import { type PushService, pushService } from './push-service.ts'

/**
 * Registers the hooks of a file in which each test has a new member, with a push service and the jobs
 * that remind the member. The values are usable within tests.
 */
export function useRemindedMember() {
  let context: TestContext
  let service: PushService
  let memberId: number

  beforeAll(async () => {
    service = await pushService()
    const env = { PUSH_PRIVATE_ENDPOINTS: 'on', PUBLIC_ORIGIN: 'https://tesp.example' }
    context = await testContext(env)
    await freeze(context.db)
  })
  beforeEach(async () => {
    memberId = await insertMember(context.db)
  })
  afterEach(async () => {
    service.refusal = undefined
    service.beforeAnswer = () => {}
    service.deliveries.length = 0
    for (const table of ['reminders', 'push_subscriptions', 'mails']) {
      await context.db(table).delete()
    }
  })
  afterAll(async () => {
    await service?.close()
    await context?.close()
  })

  return {
    member: {
      get id() {
        return memberId
      },
      get context() {
        return context
      },
      get service() {
        return service
      },
    },
    /** Subscribes a device of the member. */
    async subscribe(language: Language = 'en'): Promise<PushDevice> {
      const device = service.subscribe()
      const signIn = { memberId, epoch: 0, signInName: device.endpoint }
      const owner = { ...signIn, device: 'Firefox on Linux', language }
      await inTransaction(context.db, (tx) =>
        addSubscription(tx, context.config.dataKey, owner, device.subscription),
      )
      return device
    },
    /** Ends a session of the member, which queues their reminders. */
    async endSession(): Promise<number> {
      const [id = 0] = await insertFinished(context.db, [memberId], await productNow(context.db))
      await endSessionsDue(context, {})
      return id
    },
    /** Runs the job that sends the due reminders. */
    send: (db: Db = context.db) => sendReminders({ ...context, db }, {}),
    rows: () => context.db('reminders').where({ userId: memberId }).orderBy('id'),
    makeDue: () =>
      context.db('reminders').update({ nextTryAt: context.db.raw(`now() - interval '1 second'`) }),
    mails: () => newestMails(context.db, context.config.dataKey),
    /** Reminders of a channel that ended with a result, as the metrics count them. */
    async counted(channel: string, result: string): Promise<number> {
      const text = await context.metrics.registry.metrics()
      const line = new RegExp(`reminders_total\\{channel="${channel}",result="${result}"\\} (\\d+)`)
      return Number(line.exec(text)?.[1] ?? 0)
    },
  }
}
