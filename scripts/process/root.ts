import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** What this clone keeps between runs: embedded servers' data, development secrets, a browser. */
export const DATA_DIR = path.resolve(ROOT, process.env.TESP_DATA_DIR || '.data')
