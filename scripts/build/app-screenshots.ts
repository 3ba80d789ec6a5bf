import fs from 'node:fs'
import path from 'node:path'
import { LANGUAGES } from '#rules/members/languages'
import { DATA_DIR, ROOT } from '#runtime/process/root'
import { launchChromium } from '#scripts/browser/chromium'

/**
 * Writes the pictures that browsers show before the app is installed, small enough for its manifest, from those of
 * `npm run trial screenshots -- --only mine-active,wallet-assets`: `node --import tsx scripts/build/app-screenshots.ts`.
 */

const PICTURES = [
  { name: 'mine', of: '390/mine-active.png', width: 390, height: 844 },
  { name: 'wallet', of: '390/wallet-assets.png', width: 390, height: 844 },
  { name: 'mine-wide', of: '1440/mine-active.png', width: 1440, height: 900 },
]

const browser = await launchChromium()
const page = await browser.newPage()
for (const language of LANGUAGES) {
  for (const { name, of, width, height } of PICTURES) {
    const taken = fs.readFileSync(path.join(DATA_DIR, 'screenshots', language, of))
    const source = `data:image/png;base64,${taken.toString('base64')}`
    await page.setViewportSize({ width, height })
    await page.setContent(`<body style="margin: 0"><img src="${source}" width="100%">`)
    const file = path.join(ROOT, `client/public/app-${name}.${language}.jpg`)
    await page.screenshot({ path: file, type: 'jpeg', quality: 70 })
  }
}
await browser.close()
