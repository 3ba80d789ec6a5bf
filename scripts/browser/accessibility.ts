import fs from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** Read as text: evaluating the module takes longer than most checks. */
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Checks of a page on which something moves during each: one that never rests reports what is wrong too. */
const MOST_CHECKS = 5

/** Contrast is measured while no finite animation runs: what begins meanwhile is waited for, and all is checked again. */
const CHECK = `async (options) => {
  let hasMoved
  const note = () => { hasMoved = true }
  document.addEventListener('animationstart', note)
  document.addEventListener('transitionrun', note)
  try {
    for (let checks = 1; ; checks++) {
      await Promise.all(document.getAnimations()
        .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
        .map((one) => one.finished.catch(() => {})))
      hasMoved = false
      const { violations } = await axe.run(options)
      if (!hasMoved || violations.length === 0 || checks === ${MOST_CHECKS}) return violations
    }
  } finally {
    document.removeEventListener('animationstart', note)
    document.removeEventListener('transitionrun', note)
  }
}`

type Violation = { rule: string; nodes: string[] }

type Result = { id: string; nodes: { html: string; failureSummary: string }[] }

/** `but` disables rules by id. */
export async function accessibilityViolations(page: Page, ...but: string[]): Promise<Violation[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(fs.readFileSync(AXE, 'utf8'))
  const rules = Object.fromEntries(but.map((id) => [id, { enabled: false }]))
  // What passes is not collected: it takes half of the time.
  const options = JSON.stringify({ rules, resultTypes: ['violations'], iframes: false })
  const violations = await page.evaluate<Result[]>(`(${CHECK})(${options})`)
  return violations.map(({ id, nodes }) => ({
    rule: id,
    nodes: nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`),
  }))
}
