import { expect, it } from 'vitest'
import { operate } from '#operators/ops/testing/operate'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct()
const visitor = new Visitor(product)

/** Output of `npm run ops -- versions set`, and the minimum that clients read after it. */
async function setVersion(version: string, min?: string) {
  const options = { reason: 'a release', ...(min === undefined ? {} : { min }) }
  const printed = await operate(product, 'versions set', [version], options)
  const { minimumVersion } = (await visitor.call('GET /api/app')).body
  return { printed, minimumVersion }
}

it('a feature goes to the clients that flags require names', async () => {
  const require = (...version: string[]) =>
    operate(product, 'flags require', ['kyc', ...version], { reason: 'a test' })
  const flags = async () => (await visitor.call('GET /api/app')).body.flags
  await operate(product, 'flags on', ['kyc'], { reason: 'a test' })
  expect(await require('999.0.0')).toBe('kyc is for clients of 999.0.0 or newer')
  expect(await flags()).toEqual([])
  expect(await require()).toBe('kyc is for any client')
  expect(await flags()).toEqual(['kyc'])
})

it('versions set prints the minimum that GET /api/app answers', async () => {
  expect(await setVersion('0.1.0')).toEqual({
    printed: '0.1.0 is recorded; any client is accepted',
    minimumVersion: null,
  })
  expect(await setVersion('0.2.0', '0.1.0')).toEqual({
    printed: '0.2.0 is recorded; clients need 0.1.0 or newer',
    minimumVersion: '0.1.0',
  })
  const later = await setVersion('0.3.0')
  expect(later.minimumVersion).toBe('0.1.0')
  expect(later.printed).toContain('0.3.0 is recorded; clients need 0.1.0 or newer')
  expect(later.printed).toContain('versions lift accepts any client')
  const lifted = await operate(product, 'versions lift', [], { reason: 'the release is broken' })
  expect(lifted).toBe('any client is accepted; the minimum was 0.1.0')
  expect((await visitor.call('GET /api/app')).body.minimumVersion).toBeNull()
  const again = operate(product, 'versions lift', [], { reason: 'again' })
  await expect(again).rejects.toThrow('There is no such minimum')
})
