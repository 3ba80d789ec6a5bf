import fs from 'node:fs'
import { Started } from '#runtime/process/lifetime/shutdown'
import { report } from '#runtime/process/progress'
import { readArguments } from '#runtime/process/read-arguments'
import { launchChromium } from '#scripts/browser/chromium'
import { writeIndexPage } from '#trials/screenshots/index-page'
import { PICTURES, pathOf, type Shot, shotsOf } from '#trials/screenshots/pictures'
import { startDemoProduct } from '#trials/screenshots/product'
import { signInAll } from '#trials/screenshots/sign-ins'
import { STATES } from '#trials/screenshots/states'
import { takePicture } from '#trials/screenshots/take-picture'

/**
 * `npm run screenshots -- [--only <text>,<text>…] [--language <code>] [--width <px>] [--scale <n>]`: starts the
 * product with demo data and writes a picture of every screen and state to `.data/screenshots`, with an
 * index. Fails if axe finds anything, a word breaks, a text leaves its panel or a page scrolls sideways.
 */
const { values } = readArguments(
  'npm run screenshots -- [--only <text>,<text>…] [--language <code>] [--width <px>] [--scale <n>]',
  {
    options: {
      only: { type: 'string' },
      language: { type: 'string' },
      width: { type: 'string' },
      /** Device pixels of a CSS pixel. */
      scale: { type: 'string' },
    },
  },
)

/** Pictures taken at a time: each waits for its page most of the time. */
const LANES = 3

const started = new Started()
started.stopAtSignals()

async function takeAll(shots: Shot[], url: string): Promise<string[]> {
  const browser = await started.add(launchChromium(), (one) => one.close())
  const scale = Number(values.scale ?? 1)
  const site = { url, signIns: await signInAll(browser, url), folder: PICTURES, scale }
  const findings: string[] = []
  const queue = shots.values()
  const lane = async () => {
    for (const shot of queue) {
      const found = await takePicture(browser, shot, site)
      findings.push(...found.map((finding) => `${pathOf(shot)}: ${finding}`))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return findings.sort()
}

try {
  const shots = shotsOf(STATES, values)
  if (shots.length === 0) throw new Error('No state, language or width matches')
  const isPart = Object.keys(values).length > 0
  if (!isPart) fs.rmSync(PICTURES, { recursive: true, force: true })
  const url = await startDemoProduct(started)
  const findings = await report(`${shots.length} pictures are taken`, takeAll(shots, url))
  for (const finding of findings) console.error(finding)
  console.log(`${findings.length} findings. Look at ${writeIndexPage(findings)}`)
  await started.stop(findings.length > 0 ? 1 : 0)
} catch (error) {
  console.error(error)
  await started.stop(1)
}
