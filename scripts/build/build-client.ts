import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { buildOnce, viteBuild } from './build-once.ts'
import { prerenderPages } from './prerender.ts'

const COMPRESSED = new Set(['.js', '.css', '.html', '.svg', '.json', '.webmanifest'])
/** Compression saves little of a smaller file. */
const MIN_BYTES = 512

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** The gateway serves the encoding that a browser accepts. */
async function compressFolder(folder: string): Promise<void> {
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSED.has(path.extname(entry.name)))
    .map((entry) => path.join(entry.parentPath, entry.name))
  await Promise.all(
    files.map(async (file) => {
      const text = fs.readFileSync(file)
      if (text.length < MIN_BYTES) return
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      fs.writeFileSync(`${file}.br`, await brotli(text, { params }))
      fs.writeFileSync(`${file}.gz`, await gzipped(text, { level: 9 }))
    }),
  )
}

const SOURCES = [
  'client',
  'db/rules',
  'gateway/contract',
  'gateway/pages/preloads.ts',
  'scripts/build',
  'tsconfig.json',
  'vite.config.ts',
  'vite.prerender.config.ts',
  'package.json',
  'package-lock.json',
]

/** False if the build in `outDir` is up to date. */
export function buildClient(outDir = 'dist/client'): Promise<boolean> {
  return buildOnce(outDir, SOURCES, async (fresh) => {
    await viteBuild('client', 'vite.config.ts', fresh)
    await prerenderPages(fresh)
    await compressFolder(fresh)
  })
}
