import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Outlives a run: embedded servers, development secrets, an unpacked browser. */
export const DATA_DIR = path.resolve(ROOT, process.env.TESP_DATA_DIR || '.data')

/** The build of a bundle defines it: an image has no package.json. */
declare const __APP_VERSION__: string | undefined

export function productVersion(): string {
  if (typeof __APP_VERSION__ === 'string') return __APP_VERSION__
  return JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')).version
}
