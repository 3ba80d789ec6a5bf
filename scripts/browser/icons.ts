import fs from 'node:fs'
import path from 'node:path'
import { SHARE_PICTURE } from '#gateway/pages/invitation-tags'
import { NETWORK_NAME, TAGLINE } from '#rules/constants'
import { ROOT } from '#runtime/process/root'
import { launchChromium } from './chromium.ts'

/** Draws the app's icons and the picture of referral links: `node --import tsx scripts/browser/icons.ts`. */

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

const { width, height } = SHARE_PICTURE
const fontOf = (name: string) => {
  const file = `node_modules/@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`
  return fs.readFileSync(path.join(ROOT, file)).toString('base64')
}
const fontFaces = ['space-grotesk', 'inter'].map(
  (name) =>
    `@font-face { font-family: ${name}; font-weight: 300 700; src: url(data:font/woff2;base64,${fontOf(name)}) }`,
)
await page.setViewportSize({ width, height })
await page.setContent(
  `<style>
     ${fontFaces.join('')}
     body { margin: 0; height: 100vh; display: flex; align-items: center; gap: 72px; padding: 0 96px;
       box-sizing: border-box; background: ${GROUND}; color: #e8f0ee; font: 40px inter }
     svg { width: 340px; flex: none }
     h1 { margin: 0 0 16px; font: 600 84px space-grotesk; letter-spacing: -2px }
     p { margin: 0; color: #a5aba9 }
     p + p { margin-top: 40px; color: #5bf0b5; font-size: 32px }
   </style>
   ${drawing}
   <div><h1>${NETWORK_NAME}</h1><p>${TAGLINE}</p><p>Simulated mining · Points · Friends</p></div>`,
)
await page.evaluate('document.fonts.ready')
await page.screenshot({ path: path.join(FOLDER, SHARE_PICTURE.path) })
await browser.close()
