import fs from 'node:fs'
import path from 'node:path'
import {
  closure,
  type Manifest,
  MEMBER_CHUNKS,
  PUBLIC,
  START,
  screenOf,
  textsOf,
} from '#gateway/pages/preloads'
import type { Language } from '#rules/members/languages'
import { findCircle } from '#scripts/testing/import-graph'

/**
 * JavaScript that is loaded to show the first screen of each page, bytes after brotli: the entry, the
 * screen and everything that both import. What follows when the page is idle (socket, toasts, tooltips) or at the
 * first use (menus, charts, dialogs) is not part of it. Each budget is the size of the larger language plus
 * less than 1 %; the hashes in file names alone move a size by 100 bytes. A size above its budget fails a test:
 * lower the budget after a gain; a raise needs a reason in its commit.
 */
export const FIRST_LOAD_BYTES: Record<string, number> = {
  '/auth': 2_360,
  '/reset-password': 144_500,
  '/verify': 120_750,
  '/mine': 136_000,
  '/wallet': 150_950,
  '/tasks': 133_750,
  '/team': 155_800,
  '/network': 130_150,
  '/swap': 127_100,
  '/account': 138_400,
  '/inbox': 135_450,
}

/** JavaScript with which a prerendered page works once it is used, bytes after brotli. */
export const AFTER_USE_BYTES: Record<string, number> = {
  '/auth': 153_900,
}

/**
 * Keys of the manifest whose chunks import each other in a circle, from one to itself; empty if there is
 * none. In a circle a module may run before what it imports, which is then undefined.
 */
export const chunkCircle = (manifest: Manifest): string[] =>
  findCircle(new Map(Object.entries(manifest).map(([key, { imports = [] }]) => [key, imports])))

/** Pages whose HTML is complete without code, which is loaded when they are used. */
const PRERENDERED = ['/auth']

/** Bytes of a built file after brotli; a file too small to be compressed counts as it is. */
function sentBytes(file: string): number {
  const compressed = `${file}.br`
  return fs.statSync(fs.existsSync(compressed) ? compressed : file).size
}

function scriptBytes(clientRoot: string, sources: string[]): number {
  const manifestFile = path.join(clientRoot, '.vite/manifest.json')
  const manifest = JSON.parse(fs.readFileSync(manifestFile, 'utf8')) as Manifest
  const missing = sources.filter((source) => !manifest[source])
  if (missing.length > 0) throw new Error(`The client has no ${missing.join(', ')}`)
  const files = new Set([...closure(manifest, sources)].flatMap((key) => manifest[key]?.file ?? []))
  return [...files].reduce((sum, file) => sum + sentBytes(path.join(clientRoot, file)), 0)
}

/** JavaScript with which the screen at a path works, bytes after brotli. */
export function screenBytes(clientRoot: string, page: string, language: Language): number {
  const chunks = PUBLIC.includes(page) ? [] : MEMBER_CHUNKS
  const texts = textsOf(page, language)
  return scriptBytes(clientRoot, ['index.html', START, ...chunks, screenOf(page), ...texts])
}

/** JavaScript that is loaded to show the first screen at a path, bytes after brotli. */
export function firstLoadBytes(clientRoot: string, page: string, language: Language): number {
  if (PRERENDERED.includes(page)) return scriptBytes(clientRoot, ['index.html'])
  return screenBytes(clientRoot, page, language)
}
