import { buildOnce } from './build-once.ts'
import { compressFolder } from './compress.ts'
import { prerenderPages } from './prerender.ts'
import { viteBuild } from './vite-build.ts'

const SOURCES = [
  'client',
  'db/rules',
  'gateway/contract',
  'gateway/pages/preloads.ts',
  'scripts/build/first-load',
  'vite.config.ts',
  'vite.prerender.config.ts',
  'package.json',
  'package-lock.json',
]

/** Builds the client and its prerendered pages into `outDir`, with compressed files; false if it is up to date. */
export function buildClient(outDir = 'dist/client'): Promise<boolean> {
  return buildOnce(outDir, SOURCES, async (fresh) => {
    await viteBuild('client', 'vite.config.ts', fresh)
    await prerenderPages(fresh)
    await compressFolder(fresh)
  })
}
