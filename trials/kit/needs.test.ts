import { afterEach, expect, it, vi } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { missing } from './needs.ts'

afterEach(() => vi.unstubAllEnvs())

it('programs that are not installed are named with the package that installs them', () => {
  vi.stubEnv('PATH', testFolder())
  expect(
    missing(['redis-server 7', 'pgbouncer', 'Patroni', 'Firefox', 'WebKit', 'Docker']),
  ).toEqual([
    'redis-server 7 is missing: apt-get install redis-server',
    'pgbouncer is missing: apt-get install pgbouncer',
    'Patroni is missing: apt-get install patroni etcd-server haproxy',
    'Firefox is missing: apt-get install firefox-esr',
    'WebKit is missing: apt-get install webkit2gtk-driver xvfb imagemagick',
    'Docker is missing: Docker with Compose 2, and start its engine',
  ])
})

it('a trial without needs runs everywhere', () => {
  expect(missing([])).toEqual([])
})
