import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '#runtime/config/config'
import { ROOT } from '#runtime/process/root'
import { testSecrets } from '#scripts/testing/db/database'
import { limitTable } from './rate-limits.ts'

it('docs/security.md lists every rate limit with its figures', () => {
  const text = fs.readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8')
  const rows = [...text.matchAll(/^\| ([a-z]+(?:-[a-z]+)+) \| \*{0,2}(\d+)\*{0,2} \| (\d+) \|/gm)]
  const documented = Object.fromEntries(
    rows.map(([, name = '', points, seconds]) => [
      name,
      { points: Number(points), seconds: Number(seconds) },
    ]),
  )
  const env = { DATABASE_URL: 'postgres://localhost/x', REDIS_URL: 'redis://localhost' }
  expect(documented).toEqual(limitTable(readConfig({ ...testSecrets(), ...env })))
})
