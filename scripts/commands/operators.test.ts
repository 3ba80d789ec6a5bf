import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'

it.each([['audit'], ['migrate'], ['ops', 'status'], ['console']])(
  'npm run %s refuses production without DATABASE_URL',
  (...args) => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', ...args], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: '' },
      encoding: 'utf8',
    })
    expect(stderr).toBe('DATABASE_URL is missing: set postgres://user:password@host:5432/name\n')
    expect(status).toBe(1)
  },
)
