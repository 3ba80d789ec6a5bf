import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteOldMails } from '#db/mails'
import { deleteChangeCodes } from '#db/members/email-codes'
import { deleteOldTelegramRows, linkTelegram, newLinkCode } from '#db/members/telegram'
import { inTransaction } from '#db/postgres/statements/transaction'
import { showTask } from '#operators/actions/tasks'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { plansOf } from '#scripts/testing/db/statements/plans'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

it('old mails are found by the time at which they were sent or failed', async () => {
  const [plan] = await plansOf(fresh, () => deleteOldMails(fresh.db))
  expect(plan).toContain('mails_sent')
  expect(plan).toContain('mails_failed')
  expect(plan).not.toContain('Seq Scan')
})

it('expired codes for Telegram and old claims are found by their time', async () => {
  const plans = await plansOf(fresh, () => deleteOldTelegramRows(fresh.db), 'telegram_')
  expect(plans).toHaveLength(3)
  for (const plan of plans.slice(0, 2)) {
    expect(plan).toContain('telegram_accounts_code_expiry')
    expect(plan).not.toContain('Seq Scan')
  }
  expect(plans.at(2)).toContain('telegram_claims_created')
  expect(plans.at(2)).not.toContain('Seq Scan on telegram_claims')
})

it('after a key rotation the claims of a Telegram account are found by its hash', async () => {
  const dataKey = Buffer.concat([randomBytes(32), randomBytes(32)])
  const memberId = await insertMember(fresh.db)
  const code = await inTransaction(fresh.db, (tx) => newLinkCode(tx, dataKey, memberId))
  const link = () =>
    inTransaction(fresh.db, (tx) => linkTelegram(tx, dataKey, code, { id: 7, name: 'Ada' }))
  const [plan] = await plansOf(fresh, link, 'telegram_claims')
  expect(plan).toContain('telegram_claims_account')
  expect(plan).not.toContain('Seq Scan')
})

it('the claims of a task are counted by its id', async () => {
  const [plan] = await plansOf(fresh, () => showTask(fresh.db, 'follow_twitter'), 'completed_tasks')
  expect(plan).toContain('completed_tasks_task')
})

it('the codes of changes of an address are found by the member', async () => {
  const [plan] = await plansOf(fresh, () => deleteChangeCodes(fresh.db, 7))
  expect(plan).toMatch(/email_codes_change[\s\S]*Index Cond: .*change:7:/)
})
