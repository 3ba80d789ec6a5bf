import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import subsetFont from 'subset-font'
import { defineConfig, type Plugin } from 'vite'
import { chunkGroups } from './scripts/build/chunks.ts'

const { version } = JSON.parse(fs.readFileSync(new URL('./package.json', import.meta.url), 'utf8'))

type Bundle = Parameters<Extract<Plugin['generateBundle'], (...args: never[]) => unknown>>[1]

const inClient = (file: string) => fileURLToPath(new URL(`./client/${file}`, import.meta.url))

/** Files that the service worker caches for offline starts: all code except charts, and Latin fonts. */
function isShell(file: Bundle[string]): boolean {
  if (file.type === 'chunk') {
    return !file.moduleIds.some((id) => /\/(echarts|zrender)\//.test(id))
  }
  return /(\.css|-latin-wght-.+\.woff2)$/.test(file.fileName)
}

/** Writes the files of the build into the service worker, so each build changes it. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  generateBundle(_, bundle) {
    const worker = bundle['sw.js']
    if (worker?.type !== 'chunk') throw new Error('The build has no sw.js')
    if (worker.imports.length > 0) throw new Error(`sw.js imports ${worker.imports}`)
    const assets = Object.values(bundle)
      .filter((file) => file !== worker && isShell(file))
      .map(({ fileName }) => `/${fileName}`)
      .sort()
    const build = createHash('sha256').update(assets.join()).digest('hex').slice(0, 12)
    worker.code = worker.code
      .replaceAll('__BUILD__', JSON.stringify(build))
      .replaceAll('__ASSETS__', JSON.stringify(assets))
  },
}

const LATIN_FONT = /-latin-wght-.+\.woff2$/

/** All characters of a Latin font. */
const CHARACTERS = `${String.fromCharCode(...Array(0xd800).keys())}\ufeff\ufffd`

/** The weights that screens use. */
const WEIGHTS = { min: 400, max: 700 }

/** Leaves out the other weights of the Latin fonts: a fifth of the bytes that a first visit preloads. */
const narrowFonts: Plugin = {
  name: 'narrow-fonts',
  async generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'asset' || !LATIN_FONT.test(file.fileName)) continue
      file.source = await subsetFont(Buffer.from(file.source), CHARACTERS, {
        targetFormat: 'woff2',
        variationAxes: { wght: WEIGHTS },
      })
    }
  },
}

/** Text and headings; code is set in a third font, which few screens show at once. */
const FIRST_FONTS = /\/(inter|space-grotesk)-latin-wght-.+\.woff2$/

/**
 * Preloads the fonts of the first screen with its script. Without it the browser finds them at the
 * first text and shows the fallbacks of theme/fonts.css for longer.
 */
const preloadFonts: Plugin = {
  name: 'preload-fonts',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => FIRST_FONTS.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `/${file}`,
            crossorigin: true,
          },
          injectTo: 'head',
        })),
  },
}

export default defineConfig({
  root: 'client',
  define: { __APP_VERSION__: JSON.stringify(version) },
  plugins: [react(), tailwindcss(), narrowFonts, serviceWorker, preloadFonts],
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    // The CSP forbids data: URLs for scripts, and font files are cached separately.
    assetsInlineLimit: 0,
    sourcemap: false,
    // The gateway names the chunks of each page by it.
    manifest: true,
    rolldownOptions: {
      input: { index: inClient('index.html'), sw: inClient('offline/sw.ts') },
      output: {
        // A stable URL: browsers find the next service worker by it.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // The hash is of the file before it is narrowed.
        assetFileNames: ({ names: [name = ''] }) =>
          `assets/[name]-${LATIN_FONT.test(name) ? `${WEIGHTS.min}-${WEIGHTS.max}-` : ''}[hash][extname]`,
        codeSplitting: { groups: chunkGroups(inClient('')) },
      },
    },
  },
})
