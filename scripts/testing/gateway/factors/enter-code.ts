import { expect } from 'vitest'
import type { Visitor } from '#scripts/testing/gateway/visitor'

/** The answer to a right password if a second factor is on. */
export const SECOND_STEP = { status: 401, body: { code: 'second_factor_required' } }

/** Sends a right password, which is not enough. */
export async function afterPassword(browser: Visitor, username: string): Promise<Visitor> {
  expect(await browser.login(username)).toMatchObject(SECOND_STEP)
  return browser
}

/** Sends a one-time code or a recovery code after the password. */
export const enterCode = (browser: Visitor, code: string, gateway = 0) =>
  browser.call('POST /api/login/second-factor', { body: { code }, gateway })
