import fs from 'node:fs'
import { launchChromium } from '#scripts/browser/chromium'
import type { Trial } from '#trials/kit/trial'
import { mapConcurrently } from '#trials/kit/until'
import { PICTURES, pathOf, shotsOf, writeIndexPage } from './pictures.ts'
import { startDemoProduct } from './product.ts'
import { STATES } from './states.ts'
import { signInAll, takePicture } from './take-picture.ts'

/** Pictures taken at a time: each waits for its page most of the time. */
const PARALLEL = 3

/** Fails if axe finds anything, a word breaks, a text leaves its panel or a page scrolls sideways. */
export async function takeScreenshots(
  trial: Trial,
  options: { only: string; language: string; width: string; scale: number },
): Promise<void> {
  const { report, defer } = trial
  const shots = shotsOf(STATES, options)
  if (shots.length === 0) throw new Error('no state, language or width matches')
  const isAll = !(options.only || options.language || options.width)
  if (isAll) fs.rmSync(PICTURES, { recursive: true, force: true })
  const url = await startDemoProduct(trial)
  const browser = await launchChromium()
  defer(() => browser.close())
  const signIns = await signInAll(browser, url)
  const site = { url, signIns, folder: PICTURES, scale: options.scale }
  const found = await report.step(`${shots.length} pictures are taken`, () =>
    mapConcurrently(shots, PARALLEL, async (shot) => {
      const findings = await takePicture(browser, shot, site)
      return findings.map((finding) => `${pathOf(shot)}: ${finding}`)
    }),
  )
  const findings = found.flat().sort()
  report.check('findings', findings)
  report.fact('index', writeIndexPage(findings))
}
