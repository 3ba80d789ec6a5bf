import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '#runtime/config/config'
import { ROOT } from '#runtime/process/root'
import { testFolder } from '#scripts/testing/temp-folder'

const ANSWERS = [
  ['--origin', 'https://tesp.example'],
  // biome-ignore lint/security/noSecrets: a password that opens nothing
  ['--smtp', 'smtps://user:password@mail.example'],
  ['--sender', 'TESP Network <no-reply@tesp.example>'],
].flat()

function init(out: string, ...more: string[]) {
  const args = ['scripts/run.mjs', 'init', '--out', out, ...ANSWERS, ...more]
  return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' })
}

const SECRETS = ['SESSION_KEYS', 'DATA_KEY', 'LEDGER_SEAL_KEY', 'VAPID_PRIVATE_KEY']
const PASSWORDS = ['POSTGRES_PASSWORD', 'REDIS_PASSWORD']
const UNITS = ['--for', 'units', '--database', 'postgres://tesp:x@127.0.0.1:5432/tesp']
const ORIGINS = 'https://tesp.example, https://www.tesp.example'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-init-'))

function written(name: string, ...more: string[]) {
  const out = path.join(folder, name)
  const { status, stderr } = init(out, ...more)
  expect([status, stderr]).toEqual([0, ''])
  return { out, env: parseEnv(fs.readFileSync(out, 'utf8')) }
}
type Written = ReturnType<typeof written>

// A run takes a second of CPU time, so the tests share the files.
let units: [Written, Written]
let compose: [Written, Written]
beforeAll(() => {
  units = [written('units', ...UNITS), written('units-again', ...UNITS)]
  compose = [
    written('compose', '--for', 'compose'),
    written('compose-again', '--for', 'compose', '--origin', ORIGINS),
  ]
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

it('no two secrets are the same, in one file or in two', () => {
  const ofUnits = units.flatMap(({ env }) => SECRETS.map((name) => env[name]))
  const ofCompose = compose.flatMap(({ env }) =>
    [...SECRETS, ...PASSWORDS].map((name) => env[name]),
  )
  const secrets = [...ofUnits, ...ofCompose]
  expect(secrets).not.toContain(undefined)
  expect(new Set(secrets).size).toBe(20)
})

it('the file for units is a usable production, readable by its owner', () => {
  const [{ out, env }] = units
  expect(fs.statSync(out).mode & 0o777).toBe(0o600)
  expect(readConfig(env)).toMatchObject({ production: true, trustedProxies: ['127.0.0.1'] })
})

it('a shell reads the file as Node does, though a sender has blanks and brackets', () => {
  const [{ out, env }] = units
  const show = 'set -a; . "$0"; printf "%s\\n%s" "$MAIL_FROM" "$DATA_KEY"'
  const { stdout, stderr } = spawnSync('sh', ['-c', show, out], { encoding: 'utf8', env: {} })
  expect(stderr).toBe('')
  const { MAIL_FROM, DATA_KEY } = env
  expect(MAIL_FROM).toBe('TESP Network <no-reply@tesp.example>')
  expect(stdout).toBe(`${MAIL_FROM}\n${DATA_KEY}`)
})

it('an existing file is left as it is', () => {
  const out = path.join(testFolder(), 'env')
  fs.writeFileSync(out, 'DATA_KEY=old\n')
  const { status, stderr } = init(out)
  expect(status).toBe(1)
  expect(stderr).toContain('exists and is left as it is')
  expect(fs.readFileSync(out, 'utf8')).toBe('DATA_KEY=old\n')
})

it('compose gets passwords of its servers and the name of the site; wrong answers write nothing', () => {
  const [{ env }] = compose
  expect(env.SITE_ADDRESS).toBe('tesp.example')
  expect(env.POSTGRES_PASSWORD).toMatch(/^[0-9a-f]{64}$/)
  const wrong = path.join(folder, 'wrong')
  const { status, stderr } = init(
    wrong,
    '--origin',
    'http://tesp.example',
    '--sender',
    'x@localhost',
  )
  expect(status).toBe(1)
  expect(stderr).toMatch(/PUBLIC_ORIGIN .* is not https[\s\S]*MAIL_FROM/)
  expect(fs.existsSync(wrong)).toBe(false)
})

it('compose gets the host names of every origin', () => {
  const [, { env }] = compose
  expect(env.SITE_ADDRESS).toBe('tesp.example, www.tesp.example')
})

// `script` runs a program on a terminal; it is part of Debian's base, and takes other arguments elsewhere.
it.skipIf(process.platform !== 'linux' || !fs.existsSync('/usr/bin/script'))(
  'on a terminal, a wrong answer is asked again and the others are kept',
  () => {
    const out = path.join(testFolder(), 'env')
    const command = `"${process.execPath}" scripts/run.mjs init --for compose --out "${out}"`
    const typed = ['http://tesp.example', ANSWERS[1], ANSWERS[3], 'x@localhost', ANSWERS[5]]
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: ROOT,
      encoding: 'utf8',
      input: `${typed.join('\n')}\n`,
    })
    expect(stdout).toMatch(/PUBLIC_ORIGIN .* is not https[\s\S]*Origin[\s\S]*MAIL_FROM/)
    const { PUBLIC_ORIGIN, MAIL_FROM } = parseEnv(fs.readFileSync(out, 'utf8'))
    expect([PUBLIC_ORIGIN, MAIL_FROM]).toEqual([ANSWERS[1], ANSWERS[5]])
  },
)
