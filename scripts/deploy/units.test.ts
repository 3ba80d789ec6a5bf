import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { SETTINGS } from '#runtime/config/settings'
import { ROLE_ENV, ROLE_FLAGS } from '#runtime/process/role-flags'
import { ROOT } from '#runtime/process/root'
import { testFolder } from '#scripts/testing/temp-folder'

const FOLDER = path.join(ROOT, 'docs/deploy/systemd')
const UNITS = fs.readdirSync(FOLDER)
const SERVICES = UNITS.filter((unit) => unit.endsWith('.service'))
const read = (unit: string) => fs.readFileSync(path.join(FOLDER, unit), 'utf8')

const { stdout: version } = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' })
const hasSystemd = Number(/^systemd (\d+)/.exec(version ?? '')?.[1]) >= 250
const NOTE = hasSystemd ? '' : ' (skipped: systemd-analyze 250 or newer is not installed)'

/** The units with programs that exist here, so that only their own mistakes are reported. */
function installUnits(): string {
  const folder = testFolder()
  fs.mkdirSync(path.join(folder, 'opt'))
  for (const unit of UNITS) {
    const text = read(unit)
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/usr/bin/curl', process.execPath)
      .replaceAll('/opt/tesp', path.join(folder, 'opt'))
    fs.writeFileSync(path.join(folder, unit), text)
  }
  return folder
}

it('only workers get the key that signs the days of the ledger', () => {
  const withSettings = SERVICES.filter((unit) => read(unit).includes('tesp.env\n'))
  const withKey = withSettings.filter(
    (unit) => !read(unit).includes('\nUnsetEnvironment=LEDGER_SEAL_KEY\n'),
  )
  expect(withSettings.length).toBeGreaterThan(4)
  expect(withKey).toEqual(['tesp-workers@.service'])
})

it.skipIf(!hasSystemd)(`systemd accepts every unit${NOTE}`, () => {
  const folder = installUnits()
  // An instance of each template.
  const files = UNITS.map((unit) => path.join(folder, unit.replace('@.', '@1.')))
  for (const unit of UNITS.filter((name) => name.includes('@.'))) {
    fs.copyFileSync(path.join(folder, unit), path.join(folder, unit.replace('@.', '@1.')))
  }
  const { stdout, stderr, status } = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', ...files],
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, SYSTEMD_UNIT_PATH: `${folder}:` },
    },
  )
  const problems = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(folder))
  expect({ problems, status }).toEqual({ problems: [], status: 0 })
})

it.skipIf(!hasSystemd).each(SERVICES)(`%s has little exposure${NOTE}`, (unit) => {
  const { stdout } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', path.join(installUnits(), unit)],
    { encoding: 'utf8' },
  )
  // 0 is the least, 10 the most; a unit without hardening has 9.6.
  const [, exposure] = /exposure level for .*: (\d+\.\d)/.exec(stdout) ?? []
  expect(Number(exposure)).toBeLessThan(2.5)
})

it.each(SERVICES)('%s sets only variables that exist', (unit) => {
  const lines = [...read(unit).matchAll(/^Environment=(.*)$/gm)]
  const names = lines.flatMap(([, line = '']) => line.split(' ').map((pair) => pair.split('=')[0]))
  const known = new Set([...Object.keys(SETTINGS), ...Object.keys(ROLE_ENV), 'NODE_ENV'])
  expect(names.filter((name) => !known.has(name ?? ''))).toEqual([])
})

it.each(UNITS.filter((unit) => unit.endsWith('.timer')))(
  '%s starts a unit that exists',
  (timer) => {
    expect(SERVICES).toContain(timer.replace('.timer', '.service'))
  },
)

it.each(['gateway', 'workers'] as const)(
  'the unit of the %s starts it as its npm command',
  (role) => {
    const unit = read(`tesp-${role}@.service`)
    const command = ['/usr/bin/node', ...ROLE_FLAGS[role], `dist/roles/${role}.mjs`].join(' ')
    expect(unit).toContain(`ExecStart=${command}\n`)
    for (const [name, value] of Object.entries(ROLE_ENV)) expect(unit).toContain(`${name}=${value}`)
  },
)

it('a base backup has its name only once it is verified, and a failed one is not kept', () => {
  const folder = testFolder()
  const base = path.join(folder, 'base')
  const [, command = ''] =
    /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(read('tesp-backup.service')) ?? []
  const script = command
    .replaceAll('$$', '$')
    .replaceAll('%%', '%')
    .replaceAll('/usr/lib/postgresql/15/bin/', '')
    .replaceAll('/backup', folder)
  /** Runs the command of the unit with programs that write nothing but the folder. */
  const backUp = (verified: boolean) => {
    const programs = `pg_basebackup() { mkdir "\${1#--pgdata=}"; }; pg_verifybackup() { ${verified}; }`
    return spawnSync('sh', ['-c', `${programs}; ${script}`]).status
  }
  fs.mkdirSync(base)
  expect(backUp(false)).toBe(1)
  expect(fs.readdirSync(base)).toEqual([expect.stringMatching(/\.part$/)])
  expect(backUp(true)).toBe(0)
  expect(fs.readdirSync(base)).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{4}Z$/)])
})
