import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Colours are judged once whatever fades in stands still. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished.catch(() => {})))`

/** Axe finds nothing on the page as it stands, by any of its rules but those that are named. */
export async function expectAccessible(page: Page, ...but: string[]): Promise<void> {
  await page.evaluate(SETTLED)
  // Its other mode opens a page of its own each time, which only frames of other sites need.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).disableRules(but)
  const { violations } = await axe.analyze()
  const found = violations.map(({ id, nodes }) => ({
    rule: id,
    nodes: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
  }))
  expect(found).toEqual([])
}
