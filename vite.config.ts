import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'client',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    // The CSP allows no data: URLs for scripts, and fonts are better cached as files.
    assetsInlineLimit: 0,
    sourcemap: false,
  },
})
