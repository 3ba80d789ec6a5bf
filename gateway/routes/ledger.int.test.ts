import { expect, it } from 'vitest'
import { signSeals } from '#db/ledger/seals/seal-chain'
import { sealLedger } from '#db/ledger/seals/seal-steps'
import { aKey, makeProof, published } from '#db/ledger/seals/testing/make-proof'
import { DAY_MS } from '#rules/constants'
import { verdictOf, verifyReceipt } from '#rules/seal/verify-receipt'
import { advance } from '#scripts/testing/db/clock'
import { recordSwept } from '#scripts/testing/db/history'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct({ frozen: true, audited: true })
const member = useMember(product)
const key = aKey()

const completeTask = async () => {
  await member.call('POST /api/tasks/complete', { body: { taskId: 'join_telegram' } })
  return `task:${member.user?.id}:join_telegram`
}
const receiptOf = async (who: Visitor, id: string) =>
  (await who.call('GET /api/ledger/receipt', { query: { id } })).body
const seal = async () => {
  await advance(product.db, 2 * DAY_MS)
  await recordSwept(product.db)
  // A step waits for the transactions that run, such as a read of the gateway.
  const dueDays = async () => {
    await sealLedger(product.db)
    return product.db('ledger_seal_due')
  }
  await expect.poll(dueDays).toEqual([])
}
const roots = (query: Record<string, string> = {}) =>
  new Visitor(product).call('GET /api/ledger/roots', { query })

it('a visitor reads keys and seals, and with them verifies the receipt of a member', async () => {
  const id = await completeTask()
  expect(await receiptOf(member, id)).toEqual({ receipt: null })
  await seal()
  await signSeals(product.db, key)
  const { receipt } = await receiptOf(member, id)
  if (!receipt) throw new Error('there is no receipt')
  const { number, day } = receipt.seal
  const { seals } = (await roots({ day })).body
  expect(seals.map((seal) => seal.day)).toEqual([day])
  const { keys } = (await new Visitor(product).call('GET /api/ledger/keys')).body
  expect(keys).toMatchObject([{ publicKey: published(key).publicKey, from: 1, to: null }])
  expect(verdictOf(await verifyReceipt(receipt, { keys, seals }))).toBe('valid')
  const forged = makeProof(aKey(), { seal: { number, day } })
  expect(verdictOf(await verifyReceipt(forged, { keys, seals }))).not.toBe('valid')
  const { body } = await roots()
  expect(body.seals.map((seal) => seal.number)).toContain(number)
  expect(JSON.stringify(body)).not.toContain('salt')
  expect((await roots({ after: String(number) })).body.seals).not.toContainEqual(
    expect.objectContaining({ number }),
  )
  expect((await roots({ after: String(number), day })).body.seals).toEqual([])
})

it.each(['2026-02-30', '2026-1-1', 'yesterday', '2026-11-21T00:00:00Z', ''])(
  'the day %j is refused',
  async (day) => {
    expect((await roots({ day })).status).toBe(400)
  },
)

it('a receipt of somebody else does not exist', async () => {
  const other = await newMember(product)
  const id = await completeTask()
  await seal()
  expect(await receiptOf(other, id)).toEqual({ receipt: null })
  expect((await receiptOf(member, id)).receipt).not.toBeNull()
})
