import fs from 'node:fs'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const { version } = JSON.parse(fs.readFileSync(new URL('./package.json', import.meta.url), 'utf8'))

/** The client as a module of Node that renders pages to HTML; `scripts/build/prerender.ts` runs it. */
export default defineConfig({
  root: 'client',
  define: {
    __APP_VERSION__: JSON.stringify(version),
    'process.env.NODE_ENV': JSON.stringify('production'),
  },
  plugins: [react()],
  publicDir: false,
  // One copy of each package: React's hooks fail with two.
  ssr: { noExternal: true },
  build: {
    ssr: 'prerender.tsx',
    minify: false,
    rolldownOptions: {
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
})
