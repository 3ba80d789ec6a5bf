import { defineConfig } from 'vite'

/** Optional packages that libraries name but this product never loads: other databases, native speed-ups. */
const NEVER_LOADED =
  /^(better-sqlite3|sqlite3|mysql2?|mariadb|oracledb|tedious|libsql|pg-query-stream|pg-native|bufferutil|utf-8-validate|msgpackr-extract)(\/|$)/

/** The gateway and the workers as one file each; `scripts/build/build-roles.ts` runs this. */
export default defineConfig({
  // Native: resolved from node_modules at run time.
  ssr: { noExternal: true, external: ['@node-rs/argon2'] },
  build: {
    ssr: true,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      input: { gateway: 'gateway/main.ts', workers: 'workers/main.ts' },
      external: [NEVER_LOADED],
      output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
})
