import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'

const MISSING = {
  DATABASE_URL: 'DATABASE_URL is missing: set postgres://user:password@host:5432/name\n',
  REDIS_URL: 'REDIS_URL is missing: set redis://host:6379\n',
}

function runInProduction(args: string[], env: Record<string, string>) {
  return spawnSync(process.execPath, ['scripts/run.mjs', ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    encoding: 'utf8',
  })
}

it.each([['audit'], ['migrate'], ['ops', 'status'], ['console']])(
  'npm run %s refuses production without DATABASE_URL',
  (...args) => {
    const { status, stderr } = runInProduction(args, { DATABASE_URL: '' })
    expect(stderr).toBe(MISSING.DATABASE_URL)
    expect(status).toBe(1)
  },
)

it.each(['DATABASE_URL', 'REDIS_URL'] as const)(
  'npm start refuses production without %s before it starts anything',
  (name) => {
    const servers = { DATABASE_URL: 'postgres://a/b', REDIS_URL: 'redis://a' }
    const { status, stdout, stderr } = runInProduction(['start'], { ...servers, [name]: '' })
    expect(stderr).toContain(MISSING[name])
    expect(stdout).toBe('')
    expect(status).toBe(1)
  },
)
