import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Contrast is measured after finite animations have ended. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished.catch(() => {})))`

export type Violation = { rule: string; nodes: string[] }

/** What axe finds on the page; `but` disables rules by id. */
export async function accessibilityViolations(page: Page, ...but: string[]): Promise<Violation[]> {
  await page.evaluate(SETTLED)
  // The default mode opens an extra page per run, which only cross-origin frames need.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).disableRules(but)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => ({
    rule: id,
    nodes: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
  }))
}
