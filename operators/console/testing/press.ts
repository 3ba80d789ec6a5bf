import type { Page } from 'playwright-core'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { invitedBy, inviteOperator, type Role, secretOf } from '#operators/actions/operators'
import { codeOf } from '#scripts/testing/gateway/factors/authenticator-app'
import { PASSWORD } from './use-console.ts'

type Place = { origin: string; db: Db; dataKey: Buffer }

/** Opens the link of a new invitation in a browser, sets up password and app, and is signed in. */
export async function acceptInvitationIn(
  page: Page,
  { origin, db, dataKey }: Place,
  operator: { name: string; role: Role },
  look: () => Promise<void> = async () => {},
): Promise<void> {
  const token = await inTransaction(db, (tx) => inviteOperator(tx, dataKey, operator))
  await page.goto(`${origin}/invitation/${token}`)
  await look()
  const invited = await invitedBy(db, token)
  if (!invited) throw new Error('no invitation')
  await page.getByLabel('Password').fill(PASSWORD)
  const step = Math.floor(Date.now() / 30_000)
  await page.getByLabel('Code of the app').fill(codeOf(secretOf(dataKey, invited), step))
  await page.getByRole('button', { name: 'Set up and sign in' }).click()
  await page.waitForURL('**/overview')
}

/** Presses an action on the page, gives its reason and confirms its question. */
export async function carryOut(page: Page, label: string, reason: string): Promise<void> {
  await page.getByRole('link', { name: label }).click()
  await page.getByLabel('Reason').fill(reason)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Yes, do it' }).click()
}
