import { expect, it } from 'vitest'
import { sealLedger } from '#db/ledger/seals/seal-steps'
import { advance } from '#db/testing/clock'
import { recordSwept } from '#db/testing/history/seed-old-days'
import { useMember, useProduct } from '#gateway/testing/use-product'
import { newMember, Visitor } from '#gateway/testing/visitor'
import { DAY_MS } from '#rules/constants'
import { verifyReceipt } from '#rules/seal/verify-receipt'

const product = useProduct({ frozen: true, audited: true })
const member = useMember(product)

const roots = (query: Record<string, string> = {}) =>
  new Visitor(product).call('GET /api/ledger/roots', { query })

it('a visitor reads the seals, and with them verifies the receipt of a member', async () => {
  await member.call('POST /api/tasks/complete', { body: { taskId: 'join_telegram' } })
  const id = `task:${member.user?.id}:join_telegram`
  const read = () => member.call('GET /api/ledger/receipt', { query: { id } })
  expect((await read()).body).toEqual({ receipt: null })
  await advance(product.db, 2 * DAY_MS)
  await recordSwept(product.db)
  await sealLedger(product.db)
  const { receipt } = (await read()).body
  if (!receipt) throw new Error('there is no receipt')
  const { body } = await roots()
  const seal = body.seals.find(({ number }) => number === receipt.seal.number)
  const checks = await verifyReceipt(receipt, { hash: seal?.hash ?? '' })
  // This product has no key.
  expect(checks).toEqual({ row: true, root: true, hash: true, signature: false, published: true })
  expect(JSON.stringify(body)).not.toContain('salt')
  expect(
    (await roots({ after: String(receipt.seal.number) })).body.seals.map(({ number }) => number),
  ).not.toContain(receipt.seal.number)
})

it('a receipt of somebody else does not exist', async () => {
  const other = await newMember(product)
  const id = `task:${member.user?.id}:join_telegram`
  const { body } = await other.call('GET /api/ledger/receipt', { query: { id } })
  expect(body).toEqual({ receipt: null })
})
