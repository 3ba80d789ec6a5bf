import { beforeEach, expect, it } from 'vitest'
import { releaseSession } from '#db/mining/quarantine'
import { productNow } from '#db/postgres/connection/product-clock'
import { inTransaction } from '#db/postgres/statements/transaction'
import { MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import { creditRanges } from '#scripts/testing/db/history'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember } from '#scripts/testing/gateway/visitor'

const product = useProduct({ frozen: true, audited: true })
const member = useMember(product)
let sessionId: number

beforeEach(async () => {
  await member.call('POST /api/mining/start')
  const session = product.db('mining_sessions').where({ userId: member.user?.id, active: true })
  sessionId = (await session.clone().first('id')).id
  await session.update({ quarantinedAt: product.db.fn.now(), quarantineReason: '23514: test' })
})

const release = () =>
  inTransaction(product.db, async (tx) => releaseSession(tx, sessionId, await productNow(tx)))
const REFUSAL = {
  status: 409,
  body: {
    code: 'session_quarantined',
    message: 'Mining is paused while we check your session. Nothing is lost.',
  },
}

it('start and stop of a quarantined session are refused with the reason', async () => {
  expect(await member.call('POST /api/mining/start')).toMatchObject(REFUSAL)
  expect(await member.call('POST /api/mining/stop')).toMatchObject(REFUSAL)
  expect((await member.call('GET /api/mining/status')).body.active).toBe(true)
})

it('a quarantined session receives no credit until it is released, then all it missed', async () => {
  await advance(product.db, 65 * MINUTE_MS)
  await creditRanges(product.db)
  expect((await member.balances()).tesp).toBe('0.00000000')
  await release()
  expect((await member.balances()).tesp).toBe('0.10000000')
  expect((await member.call('POST /api/mining/stop')).status).toBe(200)
})

it('a quarantined session gets the rate of a team that grew meanwhile on its release', async () => {
  const referralCode = await member.referralCode()
  const joined = await newMember(product)
  const applied = await joined.call('POST /api/referral/apply-code', { body: { referralCode } })
  expect(applied.body).toMatchObject({ success: true })
  const rate = async () =>
    (await product.db('mining_sessions').where({ id: sessionId }).first('hashRate')).hashRate
  expect(await rate()).toBe('0.10000000')
  await release()
  expect(await rate()).toBe('0.10500000')
})
