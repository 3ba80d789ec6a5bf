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
 * Bytes after brotli of the JavaScript for the first screen: entry, screen and what both import, without what follows
 * at idle or at the first use. A budget is the size of the larger language plus less than 1 %; hashes in file names
 * alone move a size by 100 bytes. Lower a budget after a gain; a raise needs a reason in its commit.
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

/** Bytes after brotli of the JavaScript with which a prerendered page works once it is used. */
export const AFTER_USE_BYTES: Record<string, number> = {
  '/auth': 154_050,
}

/** Keys of the manifest, from one to itself. In a circle a module may run before what it imports. */
export const chunkCircle = (manifest: Manifest): string[] =>
  findCircle(new Map(Object.entries(manifest).map(([key, { imports = [] }]) => [key, imports])))

/** Pages whose HTML is complete without code, which is loaded when they are used. */
const PRERENDERED = ['/auth']

/** After brotli; a file too small to be compressed counts as it is. */
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

/** Bytes after brotli of the JavaScript with which the screen at a path works. */
export function screenBytes(clientRoot: string, page: string, language: Language): number {
  const chunks = PUBLIC.includes(page) ? [] : MEMBER_CHUNKS
  const texts = textsOf(page, language)
  return scriptBytes(clientRoot, ['index.html', START, ...chunks, screenOf(page), ...texts])
}

export function firstLoadBytes(clientRoot: string, page: string, language: Language): number {
  if (PRERENDERED.includes(page)) return scriptBytes(clientRoot, ['index.html'])
  return screenBytes(clientRoot, page, language)
}
