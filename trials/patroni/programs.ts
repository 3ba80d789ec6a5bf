import { spawnSync } from 'node:child_process'
import { postgresPrograms } from '#trials/recovery/debian-postgres'

/** Debian's package of each program. */
const PACKAGES = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' }

const isInstalled = (program: string, flag: string) =>
  spawnSync(program, [flag], { stdio: 'ignore' }).status === 0

/** Why failover of PostgreSQL cannot be tried here, and what installs it; undefined if it can. */
export function missingPrograms(): string | undefined {
  const missing = Object.entries(PACKAGES)
    .filter(([program]) => !isInstalled(program, program === 'haproxy' ? '-v' : '--version'))
    .map(([, name]) => name)
  if (!postgresPrograms()) missing.push('postgresql')
  if (missing.length === 0) return undefined
  return `these packages are not installed: apt-get install ${missing.join(' ')}`
}
