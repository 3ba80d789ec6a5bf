import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { accessibilityViolations } from '#scripts/browser/accessibility'

/** Expects no axe violation on the page; `but` disables rules by id. */
export async function expectAccessible(page: Page, ...but: string[]): Promise<void> {
  expect(await accessibilityViolations(page, ...but)).toEqual([])
}
