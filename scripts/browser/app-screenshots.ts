import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { LANGUAGES } from '#rules/members/languages'
import { DATA_DIR, ROOT } from '#runtime/process/root'
import { launchChromium } from './chromium.ts'

/** Run by hand after `npm run trial screenshots`: `node --import tsx scripts/browser/app-screenshots.ts`. */

const PHONE = { width: 390, height: 844 }

const MANIFEST = [
  { name: 'mine', of: '390/mine-active.png', size: PHONE },
  { name: 'wallet', of: '390/wallet-assets.png', size: PHONE },
  { name: 'mine-wide', of: '1440/mine-active.png', size: { width: 1440, height: 900 } },
]

const TOUR = {
  register: 'auth-register-code-sent',
  mine: 'mine-active',
  credit: 'wallet-receipt',
  claim: 'mine-claimed',
  team: 'team-leader',
  wallet: 'wallet-earnings-month',
  offline: 'mine-command-waiting',
}

async function writeJpeg(page: Page, from: string, to: string, size: typeof PHONE): Promise<void> {
  const taken = fs.readFileSync(path.join(DATA_DIR, 'screenshots', from)).toString('base64')
  await page.setViewportSize(size)
  await page.setContent(
    `<body style="margin: 0"><img src="data:image/png;base64,${taken}" width="100%">`,
  )
  await page.screenshot({ path: path.join(ROOT, to), type: 'jpeg', quality: 70 })
}

const browser = await launchChromium()
const page = await browser.newPage()
for (const language of LANGUAGES) {
  for (const { name, of, size } of MANIFEST) {
    await writeJpeg(page, `${language}/${of}`, `client/public/app-${name}.${language}.jpg`, size)
  }
}
fs.mkdirSync(path.join(ROOT, 'docs/tour'), { recursive: true })
for (const [name, of] of Object.entries(TOUR)) {
  await writeJpeg(page, `en/390/${of}.png`, `docs/tour/${name}.jpg`, PHONE)
}
await browser.close()
