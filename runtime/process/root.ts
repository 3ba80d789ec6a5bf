import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root folder of the repository. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Data that outlives a run: embedded servers, development secrets, an unpacked browser. */
export const DATA_DIR = path.resolve(ROOT, process.env.TESP_DATA_DIR || '.data')
