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
