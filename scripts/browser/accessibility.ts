import fs from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** Read as text: evaluating the module takes longer than most checks. */
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Contrast is measured after finite animations have ended. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
  .map((one) => one.finished.catch(() => {})))`

type Violation = { rule: string; nodes: string[] }

type Result = { id: string; nodes: { html: string; failureSummary: string }[] }

/** `but` disables rules by id. */
export async function accessibilityViolations(page: Page, ...but: string[]): Promise<Violation[]> {
  await page.evaluate(SETTLED)
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(fs.readFileSync(AXE, 'utf8'))
  const rules = Object.fromEntries(but.map((id) => [id, { enabled: false }]))
  // What passes is not collected: it takes half of the time.
  const options = JSON.stringify({ rules, resultTypes: ['violations'], iframes: false })
  const run = `axe.run(${options}).then(({ violations }) => violations)`
  const violations = await page.evaluate<Result[]>(run)
  return violations.map(({ id, nodes }) => ({
    rule: id,
    nodes: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
  }))
}
