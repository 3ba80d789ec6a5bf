import { defineConfig } from 'vite'

/** Optional packages that libraries name but this product never loads: other databases, native speed-ups. */
const NEVER_LOADED =
  /^(better-sqlite3|sqlite3|mysql2?|mariadb|oracledb|tedious|libsql|pg-query-stream|pg-native|bufferutil|utf-8-validate|msgpackr-extract)(\/|$)/

/** V8 keeps a source in two bytes a character if one character is not Latin-1, else in one. */
const asciiSource = {
  name: 'ascii-source',
  renderChunk: (code: string) =>
    code.replace(
      /[^\0-\x7f]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
}

/** The gateway and the workers as one file each; `scripts/build/build-roles.ts` runs this. */
export default defineConfig({
  plugins: [asciiSource],
  // Data tables and protocol code that several packages carry in several versions.
  resolve: {
    dedupe: ['mime-db', 'ws'],
    alias: { 'cron-parser': `${import.meta.dirname}/scripts/build/no-cron.ts` },
  },
  // Resolved from node_modules at run time: a native package, and one that serves files of its own.
  ssr: {
    noExternal: true,
    external: ['@node-rs/argon2', '@bull-board/api', '@bull-board/ui'],
  },
  build: {
    ssr: true,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: { gateway: 'gateway/main.ts', workers: 'workers/main.ts' },
      external: [NEVER_LOADED],
      // Its Postgres backend and other Redis clients are never imported, and nothing of it acts on import.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/bullmq\//, sideEffects: false }] },
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
})
