import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { noSettings } from '#scripts/testing/spawn-command'

const MISSING = 'DATABASE_URL is missing: set postgres://user:password@host:5432/name\n'

function runInProduction(args: string[]) {
  return spawnSync(process.execPath, ['scripts/run.mjs', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...noSettings, NODE_ENV: 'production' },
    encoding: 'utf8',
  })
}

it.each([['audit'], ['migrate'], ['ops', 'status'], ['console']])(
  'npm run %s refuses production without DATABASE_URL',
  (...args) => {
    const { status, stderr } = runInProduction(args)
    expect(stderr).toBe(MISSING)
    expect(status).toBe(1)
  },
)

it('npm start refuses production without DATABASE_URL and REDIS_URL before it starts anything', () => {
  const { status, stdout, stderr } = runInProduction(['start'])
  expect(stderr).toContain(MISSING)
  expect(stderr).toContain('REDIS_URL is missing: set redis://host:6379\n')
  expect(stdout).toBe('')
  expect(status).toBe(1)
})
