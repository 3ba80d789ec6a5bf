import { expect, it } from 'vitest'
import type { MemberUpdate } from '#contract/events'
import { submitDocument } from '#db/members/kyc'
import { inTransaction } from '#db/postgres/statements/transaction'
import { operate } from '#operators/ops/testing/operate'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { decideDocumentAs } from './documents.ts'

const product = useProduct()
const member = useMember(product)
const reason = 'the picture matches'

const ways = {
  'the page of reviewers': (id: number) => {
    const { db, config } = product
    const services = { db, config, redisUrl: config.redisUrl }
    return decideDocumentAs(services, 'ada', { id, accepted: true }, reason)
  },
  'ops kyc accept': (id: number) => operate(product, 'kyc accept', [String(id)], { reason }),
}

it.each(Object.entries(ways))(
  'a decision by %s reaches an open page of its member within a second',
  async (_way, decide) => {
    const memberId = member.user?.id ?? 0
    const document = {
      documentType: 'passport',
      mime: 'image/png',
      bytes: Buffer.from('x'),
    } as const
    await inTransaction(product.db, (tx) =>
      submitDocument(tx, product.config.dataKey, memberId, document),
    )
    const updates: MemberUpdate[] = []
    const socket = await member.connected()
    socket.on('changed', (update) => updates.push(update))
    const { id } = await product.db('kyc_documents').where({ userId: memberId }).first('id')
    await decide(id)
    const inbox = expect.objectContaining({ unread: 1 })
    await expect.poll(() => updates, { timeout: 1_000 }).toEqual([{ account: true, inbox }])
    expect((await member.call('GET /api/user')).body.kycStatus).toBe('verified')
  },
)
