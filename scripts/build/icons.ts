import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'
import { launchChromium } from '#scripts/browser/chromium'

/** Draws the icons of the installed app from `client/public/icon.svg`: `node --import tsx scripts/build/icons.ts`. */

const FOLDER = path.join(ROOT, 'client/public')
const GROUND = '#070b0c'

/** Phones crop maskable icons themselves, so those have a plain background and no frame. */
const icons = [
  { file: 'icon-192.png', side: 192, framed: true },
  { file: 'icon-512.png', side: 512, framed: true },
  { file: 'icon-maskable-192.png', side: 192, framed: false },
  { file: 'icon-maskable-512.png', side: 512, framed: false },
  { file: 'apple-touch-icon.png', side: 180, framed: false },
]

const drawing = fs.readFileSync(path.join(FOLDER, 'icon.svg'), 'utf8')
const bare = drawing.replace(/<rect .*\/>/g, '')
const browser = await launchChromium()
const page = await browser.newPage()
for (const { file, side, framed } of icons) {
  await page.setViewportSize({ width: side, height: side })
  await page.setContent(
    `<style>svg { display: block; width: 100vw }</style>
     <body style="margin: 0; background: ${framed ? 'transparent' : GROUND}">
     ${framed ? drawing : bare}`,
  )
  await page.screenshot({ path: path.join(FOLDER, file), omitBackground: true })
}
await browser.close()
