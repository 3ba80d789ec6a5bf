import fs from 'node:fs'
import path from 'node:path'
import type Router from '@koa/router'
import type Koa from 'koa'
import { ROOT } from '#runtime/process/root'
import { STYLE } from './style.ts'

/** Fonts of the built client, by their name here; without a build the fallbacks of the style stand in. */
const FONTS: Record<string, string> = {
  inter: 'inter-latin-wght-normal',
  'inter-vietnamese': 'inter-vietnamese-wght-normal',
  'space-grotesk': 'space-grotesk-latin-wght-normal',
  'jetbrains-mono': 'jetbrains-mono-latin-wght-normal',
}
const FOLDER = path.join(ROOT, 'dist/client/assets')
const ICON = path.join(ROOT, 'dist/client/icon.svg')

function fontFile(name: string): string | undefined {
  const wanted = FONTS[name]
  if (!wanted || !fs.existsSync(FOLDER)) return undefined
  const file = fs
    .readdirSync(FOLDER)
    .find((one) => one.startsWith(wanted) && one.endsWith('.woff2'))
  return file && path.join(FOLDER, file)
}

/** The same for everybody: no sign-in is needed, and browsers may cache them. */
export function assets(router: Router): void {
  router.get('/style.css', async (ctx: Koa.Context) => {
    ctx.type = 'css'
    ctx.body = STYLE
  })
  // Browsers ask for this name where a page, such as a picture, names no icon.
  router.get('/favicon.ico', async (ctx: Koa.Context) => {
    if (!fs.existsSync(ICON)) return ctx.throw(404)
    ctx.set('Cache-Control', 'public, max-age=86400')
    ctx.type = 'svg'
    ctx.body = fs.readFileSync(ICON)
  })
  router.get('/fonts/:name', async (ctx: Koa.Context) => {
    const file = fontFile(String(ctx.params.name))
    if (!file) return ctx.throw(404)
    ctx.set('Cache-Control', 'public, max-age=86400')
    ctx.type = 'font/woff2'
    ctx.body = fs.readFileSync(file)
  })
}
