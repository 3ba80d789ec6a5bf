import { expect, it } from 'vitest'
import type { MemberUpdate } from '#contract/events'
import { submitDocument } from '#db/members/kyc'
import { inTransaction } from '#db/postgres/statements/transaction'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember } from '#scripts/testing/gateway/visitor'
import { operate } from './testing/operate.ts'

const product = useProduct()
const member = useMember(product)
const reason = 'the picture matches'

async function updatesOf(): Promise<MemberUpdate[]> {
  const updates: MemberUpdate[] = []
  const socket = await member.connected()
  socket.on('changed', (update) => updates.push(update))
  return updates
}

it('a correction reaches an open page of its member', async () => {
  const updates = await updatesOf()
  await operate(product, 'ledger correct', [`id:${member.user?.id}`, 'TESP', '7.25'], { reason })
  await expect
    .poll(() => updates)
    .toMatchObject([{ wallet: { tesp: [{ balance: '7.25000000' }] }, inbox: {} }])
})

it('a frozen code and its release reach an open page of the owner', async () => {
  const code = await member.referralCode()
  const updates = await updatesOf()
  await operate(product, 'codes freeze', [code], { reason: 'filled by one person' })
  await expect.poll(() => updates).toEqual([{ team: true }])
  await operate(product, 'codes unfreeze', [code], { reason: 'a school class' })
  await expect.poll(() => updates).toEqual([{ team: true }, { team: true }])
})

it('a changed address reaches an open page of the inviter', async () => {
  const joined = await newMember(product)
  const body = { referralCode: await member.referralCode() }
  await joined.call('POST /api/referral/apply-code', { body })
  const updates = await updatesOf()
  const args = [`id:${joined.user?.id}`, `new.${joined.user?.id}@mail.example`]
  await operate(product, 'members set-email', args, { reason: 'the mailbox is lost' })
  await expect.poll(() => updates).toEqual([{ team: true }])
})

it('a decision reaches an open page of its member', async () => {
  const memberId = member.user?.id ?? 0
  const document = {
    documentType: 'passport',
    mime: 'image/png',
    bytes: Buffer.from('x'),
  } as const
  await inTransaction(product.db, (tx) =>
    submitDocument(tx, product.config.dataKey, memberId, document),
  )
  const updates = await updatesOf()
  const { id } = await product.db('kyc_documents').where({ userId: memberId }).first('id')
  await operate(product, 'kyc accept', [String(id)], { reason })
  await expect.poll(() => updates).toMatchObject([{ account: true }])
  expect((await member.call('GET /api/user')).body.kycStatus).toBe('verified')
})
