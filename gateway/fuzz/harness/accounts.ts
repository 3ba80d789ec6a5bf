import { MINUTE_MS } from '#rules/constants'
import { advance, freeze } from '#scripts/testing/db/clock'
import type { Product } from '#scripts/testing/gateway/product'
import { newMember, type Visitor } from '#scripts/testing/gateway/visitor'

/** Settings under which no rate limit hides the response to a case. */
export const NO_LIMITS = {
  TRUSTED_PROXIES: '127.0.0.1',
  LOGIN_FAILURES_PER_ACCOUNT: '1000000',
  LOGIN_FAILURES_PER_ADDRESS: '1000000',
  LOGIN_FAILURES_BEFORE_CODE: '1000000',
  OTP_PER_ADDRESS_HOUR: '1000000',
}

/**
 * Members for whom every command would take effect: pending rewards, an unpaid milestone, no
 * referral code, no completed task. Product time is frozen.
 */
export async function newAccounts(product: Product, count: number): Promise<Visitor[]> {
  await freeze(product.db)
  const members: Visitor[] = []
  for (let at = 0; at < count; at++) members.push(await newMember(product))
  for (const member of members) await member.call('POST /api/mining/start')
  await advance(product.db, 30 * MINUTE_MS)
  for (const member of members) await member.call('POST /api/mining/stop')
  await product.db('users').update({ teamSize: 10 })
  return members
}
