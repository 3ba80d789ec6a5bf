import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Outlives a run: embedded servers, development secrets, an unpacked browser. */
export const DATA_DIR = path.resolve(ROOT, process.env.TESP_DATA_DIR || '.data')
