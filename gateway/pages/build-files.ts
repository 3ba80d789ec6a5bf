import { ReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { send } from '@koa/send'
import type Koa from 'koa'
import type { Manifest } from './preloads.ts'

export type BuildFiles = {
  html: string
  manifest: Manifest
  /** HTML of the members' screens without data, by language and path; empty if the build has none. */
  shells: Record<string, Record<string, string>>
  /** The styles that name the fonts of the text, and what stands for them until they are loaded. */
  fontFaces: string
}

export type BuildReader = () => Promise<BuildFiles | undefined>

/** Fonts of figures and of other letters stay with the client. */
const NAMED_FACE = /-(latin|vietnamese)-wght|Fallback/
const MONO = /jetbrains/i

function fontFacesOf(styles: string): string {
  const faces = styles.match(/@font-face\{[^}]*\}/g) ?? []
  return faces.filter((face) => NAMED_FACE.test(face) && !MONO.test(face)).join('')
}

/** Reads again after each build; undefined where no client is built. */
export function buildFilesReader(root: string): BuildReader {
  const read = (file: string) => fs.readFile(path.join(root, file), 'utf8')
  let current: (BuildFiles & { builtAt: number }) | undefined
  return async () => {
    try {
      const { mtimeMs: builtAt } = await fs.stat(path.join(root, 'index.html'))
      if (current?.builtAt === builtAt) return current
      const [html, manifest, shells] = await Promise.all([
        read('index.html'),
        read('.vite/manifest.json'),
        read('.vite/shells.json').catch(() => '{}'),
      ])
      const parsed = JSON.parse(manifest) as Manifest
      const styles = parsed['index.html']?.css ?? []
      const fontFaces = fontFacesOf((await Promise.all(styles.map(read))).join(''))
      current = { html, manifest: parsed, shells: JSON.parse(shells), fontFaces, builtAt }
      return current
    } catch {
      // Without a build there is no page, and without a manifest the file itself is served.
      return undefined
    }
  }
}

/** False for a file that does not exist, a folder and a hidden file. */
export async function sendFile(
  ctx: Koa.Context,
  root: string,
  file: string,
  cacheControl = 'no-cache',
): Promise<boolean> {
  try {
    if ((await send(ctx, file, { root })) === undefined) return false
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 404) return false
    throw error
  }
  // Koa reads no file for HEAD or for a gone client, and an unhandled error ends the process.
  if (ctx.body instanceof ReadStream) ctx.body.on('error', () => {})
  ctx.set('Cache-Control', cacheControl)
  return true
}

/** Each page is compressed for one answer, so speed counts more than the last percent. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 4 }

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

export async function sendHtml(ctx: Koa.Context, html: string): Promise<void> {
  ctx.type = 'html'
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity')
  if (encoding === 'br') ctx.body = await brotli(html, { params: QUALITY })
  else if (encoding === 'gzip') ctx.body = await gzipped(html)
  else ctx.body = html
  if (encoding === 'br' || encoding === 'gzip') ctx.set('Content-Encoding', encoding)
}
