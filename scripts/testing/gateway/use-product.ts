import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { freeze } from '#scripts/testing/db/clock'
import { expectCleanAudit } from './expect-clean-audit.ts'
import { type Product, type ProductOptions, startProduct } from './product.ts'
import { Visitor } from './visitor.ts'

export type UseProductOptions = ProductOptions & {
  /** Stop product time at the start; `advance` moves it. */
  frozen?: boolean
  /** Expect a clean audit of all wallets after the last test. */
  audited?: boolean
}

/**
 * Starts a product before the tests of a file or `describe` and closes it after them. The returned
 * product is usable within hooks and tests.
 */
export function useProduct(options: UseProductOptions = {}): Product {
  const { frozen = false, audited = false, ...productOptions } = options
  const product = {} as Product
  beforeAll(async () => {
    Object.assign(product, await startProduct(productOptions))
    if (frozen) await freeze(product.db)
  })
  afterAll(async () => {
    try {
      if (audited) await expectCleanAudit(product)
    } finally {
      await product.close?.()
    }
  })
  return product
}

/** A visitor who becomes a new member before each test; their sockets are closed after it. */
export function useMember(product: Product): Visitor {
  const member = new Visitor(product)
  beforeEach(() => member.becomeNewMember())
  afterEach(() => member.disconnect())
  return member
}
