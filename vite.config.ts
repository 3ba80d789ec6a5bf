import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const { version } = JSON.parse(fs.readFileSync(new URL('./package.json', import.meta.url), 'utf8'))

type Bundle = Parameters<Extract<Plugin['generateBundle'], (...args: never[]) => unknown>>[1]

const inClient = (file: string) => fileURLToPath(new URL(`./client/${file}`, import.meta.url))

/** What is kept for a start without a network: the code but for the charts, and the Latin fonts. */
function isShell(file: Bundle[string]): boolean {
  if (file.type === 'chunk') {
    return !file.moduleIds.some((id) => /\/(echarts|zrender)\//.test(id))
  }
  return /(\.css|-latin-wght-.+\.woff2)$/.test(file.fileName)
}

/** Tells the service worker which files the build consists of, and so makes it new with each. */
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

export default defineConfig({
  root: 'client',
  define: { __APP_VERSION__: JSON.stringify(version) },
  plugins: [react(), tailwindcss(), serviceWorker],
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    // The CSP allows no data: URLs for scripts, and fonts are better cached as files.
    assetsInlineLimit: 0,
    sourcemap: false,
    rolldownOptions: {
      input: { index: inClient('index.html'), sw: inClient('offline/worker/sw.ts') },
      output: {
        // The service worker keeps its address, by which a browser finds the next one.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
})
