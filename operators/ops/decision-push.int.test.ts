import { expect, it } from 'vitest'
import type { MemberUpdate } from '#contract/events'
import { submitDocument } from '#db/members/kyc'
import { inTransaction } from '#db/postgres/statements/transaction'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
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
