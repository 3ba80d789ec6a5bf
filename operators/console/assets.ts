import fs from 'node:fs'
import path from 'node:path'
import type Router from '@koa/router'
import type Koa from 'koa'
import { sendFile } from '#gateway/pages/build-files'
import { ROOT } from '#runtime/process/root'
import { STYLE } from './style.ts'

/** Fonts of the built client, by their name here; without a build the fallbacks of the style stand in. */
const FONTS: Record<string, string> = {
  inter: 'inter-latin-wght-normal',
  'inter-vietnamese': 'inter-vietnamese-wght-normal',
  'space-grotesk': 'space-grotesk-latin-wght-normal',
  'jetbrains-mono': 'jetbrains-mono-latin-wght-normal',
}
const CLIENT = path.join(ROOT, 'dist/client')
const FOLDER = path.join(CLIENT, 'assets')

function fontFile(name: string): string | undefined {
  const wanted = FONTS[name]
  if (!wanted || !fs.existsSync(FOLDER)) return undefined
  return fs.readdirSync(FOLDER).find((one) => one.startsWith(wanted) && one.endsWith('.woff2'))
}

const CACHED = 'public, max-age=86400'

/** The same for everybody: no sign-in is needed, and browsers may cache them. */
export function assets(router: Router): void {
  router.get('/style.css', async (ctx: Koa.Context) => {
    ctx.type = 'css'
    ctx.body = STYLE
  })
  // Browsers ask for this name where a page, such as a picture, names no icon.
  router.get('/favicon.ico', async (ctx: Koa.Context) => {
    if (!(await sendFile(ctx, CLIENT, 'icon.svg', CACHED))) ctx.throw(404)
  })
  router.get('/fonts/:name', async (ctx: Koa.Context) => {
    const file = fontFile(String(ctx.params.name))
    if (!file || !(await sendFile(ctx, FOLDER, file, CACHED))) ctx.throw(404)
  })
}
