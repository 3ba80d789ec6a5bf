import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Contrast is measured after finite animations have ended. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished.catch(() => {})))`

/** Expects no axe violation on the page; `but` disables rules by id. */
export async function expectAccessible(page: Page, ...but: string[]): Promise<void> {
  await page.evaluate(SETTLED)
  // The default mode opens an extra page per run, which only cross-origin frames need.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).disableRules(but)
  const { violations } = await axe.analyze()
  const found = violations.map(({ id, nodes }) => ({
    rule: id,
    nodes: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
  }))
  expect(found).toEqual([])
}
