import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { expect, it } from 'vitest'
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

/** The settings with these names in two files that are written one after the other. */
function writtenTwice(names: string[], ...more: string[]): (string | undefined)[] {
  const folder = testFolder()
  return ['one', 'two'].flatMap((name) => {
    const out = path.join(folder, name)
    init(out, ...more)
    const env = parseEnv(fs.readFileSync(out, 'utf8'))
    return names.map((each) => env[each])
  })
}

it('no two secrets are the same, in one file or in two', () => {
  const database = ['--database', 'postgres://tesp:x@127.0.0.1:5432/tesp']
  const ofUnits = writtenTwice(SECRETS, '--for', 'units', ...database)
  const ofCompose = writtenTwice([...SECRETS, ...PASSWORDS], '--for', 'compose')
  const written = [...ofUnits, ...ofCompose]
  expect(written).not.toContain(undefined)
  expect(new Set(written).size).toBe(20)
})

it('the file for units is a usable production, readable by its owner', () => {
  const out = path.join(testFolder(), 'env')
  const database = ['--database', 'postgres://tesp:x@127.0.0.1:5432/tesp']
  const { status, stderr } = init(out, '--for', 'units', ...database)
  expect([status, stderr]).toEqual([0, ''])
  expect(fs.statSync(out).mode & 0o777).toBe(0o600)
  const env = parseEnv(fs.readFileSync(out, 'utf8'))
  expect(readConfig(env)).toMatchObject({ production: true, trustedProxies: ['127.0.0.1'] })
})

it('a shell reads the file as Node does, though a sender has blanks and brackets', () => {
  const out = path.join(testFolder(), 'env')
  init(out, '--for', 'units', '--database', 'postgres://tesp:x@127.0.0.1:5432/tesp')
  const show = 'set -a; . "$0"; printf "%s\\n%s" "$MAIL_FROM" "$DATA_KEY"'
  const { stdout, stderr } = spawnSync('sh', ['-c', show, out], { encoding: 'utf8', env: {} })
  expect(stderr).toBe('')
  const { MAIL_FROM, DATA_KEY } = parseEnv(fs.readFileSync(out, 'utf8'))
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
  const folder = testFolder()
  const out = path.join(folder, 'env')
  expect(init(out, '--for', 'compose').status).toBe(0)
  const env = parseEnv(fs.readFileSync(out, 'utf8'))
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
  const out = path.join(testFolder(), 'env')
  const origin = 'https://tesp.example, https://www.tesp.example'
  expect(init(out, '--for', 'compose', '--origin', origin).status).toBe(0)
  const env = parseEnv(fs.readFileSync(out, 'utf8'))
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
