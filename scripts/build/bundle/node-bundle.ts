import fs from 'node:fs'
import path from 'node:path'
import type { UserConfig } from 'vite'
import { EXTERNAL_PACKAGES } from './runtime-packages.ts'

/** Optional packages of libraries: other databases, native speed-ups. */
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

type NodeBundle = {
  root: string
  input: Record<string, string>
}

/** For programs of Node that start without compiling or resolving packages. */
export function nodeBundle({ root, input }: NodeBundle): UserConfig {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  return {
    define: { __APP_VERSION__: JSON.stringify(version) },
    plugins: [asciiSource],
    resolve: {
      // Data tables and protocol code that several packages carry in several versions.
      dedupe: ['mime-db', 'ws'],
      alias: { 'cron-parser': path.join(root, 'scripts/build/bundle/no-cron.ts') },
    },
    ssr: { noExternal: true, external: EXTERNAL_PACKAGES },
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input,
        external: [NEVER_LOADED],
        // Its Postgres backend and other Redis clients are never imported, and nothing of it acts on import.
        treeshake: { moduleSideEffects: [{ test: /node_modules\/bullmq\//, sideEffects: false }] },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  }
}
