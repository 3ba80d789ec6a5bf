import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { ConfigError, readConfig } from '#runtime/config/config'
import { readArguments } from '#runtime/process/read-arguments'
import { newPrivateKey } from '#runtime/secrets/vapid-keys'

const CALL =
  'npm run init -- [--for compose|units] [--origin <url>] [--smtp <url>] [--sender <text>] [--database <url>] [--redis <url>] [--out <file>]'

/** Where the units read their settings. */
const UNITS_FILE = '/etc/tesp/tesp.env'

/** What only the operator knows: an option, what is asked without it, and what an empty answer means. */
const QUESTIONS = [
  ['for', 'For docker compose, or for units (systemd)? [compose]', 'compose'],
  ['origin', 'Origin that members open, such as https://tesp.example:', ''],
  ['smtp', 'Mail server, such as smtps://user:password@mail.example:', ''],
  ['sender', 'Sender of mails, such as TESP Network <no-reply@tesp.example>:', ''],
] as const
/** Asked for units; compose starts its own servers. */
const SERVERS = [
  ['database', 'Database, such as postgres://tesp_a:password@127.0.0.1:5432/tesp:', ''],
  [
    'redis',
    'Redis, such as redis://:password@127.0.0.1:6379 [redis://127.0.0.1:6379]:',
    'redis://127.0.0.1:6379',
  ],
] as const

const hex = () => randomBytes(32).toString('hex')
const base64 = () => randomBytes(32).toString('base64')

const { values } = readArguments(CALL, {
  options: {
    for: { type: 'string' },
    origin: { type: 'string' },
    smtp: { type: 'string' },
    sender: { type: 'string' },
    database: { type: 'string' },
    redis: { type: 'string' },
    out: { type: 'string', default: '.env' },
  },
})

function fail(text: string): never {
  console.error(text)
  process.exit(1)
}

async function answers(questions: readonly (readonly [string, string, string])[]) {
  const given: Record<string, string | undefined> = values
  const found: Record<string, string> = {}
  for (const [name, question, usual] of questions) {
    found[name] = given[name] ?? (await ask(question)) ?? usual
    found[name] ||= usual
  }
  return found
}

async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await prompt.question(`${question} `)).trim()
  } finally {
    prompt.close()
  }
}

const { out } = values
if (fs.existsSync(out)) fail(`${out} exists and is left as it is: its keys open what is stored.`)
const { for: place = '', origin = '', smtp = '', sender = '' } = await answers(QUESTIONS)
if (place !== 'compose' && place !== 'units') fail(`--for is compose or units, not ${place}`)
const servers = place === 'units' ? await answers(SERVERS) : {}

const settings: Record<string, string> = {
  PUBLIC_ORIGIN: origin,
  SMTP_URL: smtp,
  MAIL_FROM: sender,
  SESSION_KEYS: hex(),
  DATA_KEY: base64(),
  LEDGER_SEAL_KEY: base64(),
  VAPID_PRIVATE_KEY: newPrivateKey(),
  ...(place === 'compose'
    ? {
        SITE_ADDRESS: URL.canParse(origin) ? new URL(origin).hostname : '',
        POSTGRES_PASSWORD: hex(),
        REDIS_PASSWORD: hex(),
      }
    : {
        NODE_ENV: 'production',
        TRUSTED_PROXIES: '127.0.0.1',
        DATABASE_URL: servers.database ?? '',
        REDIS_URL: servers.redis ?? '',
      }),
}

try {
  readConfig({
    DATABASE_URL: 'postgres://compose/tesp',
    REDIS_URL: 'redis://compose',
    ...settings,
    NODE_ENV: 'production',
  })
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  fail(error.message)
}
/** A shell, systemd, docker compose and Node read the same from the file. */
const quoted = (value: string) => (/^[\w@%+=:,./-]*$/.test(value) ? value : `'${value}'`)
if (Object.values(settings).some((value) => value.includes("'"))) {
  fail("An answer holds a ', which no file of settings can: write it as %27 in a URL.")
}
const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}`)
// `wx`: a file that appeared meanwhile is kept too.
fs.writeFileSync(out, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' })
console.log(
  `${out} is written, readable by you only. Keep a copy elsewhere: without DATA_KEY documents and mails are lost.`,
)
console.log(
  place === 'compose'
    ? 'Next: docker compose up --build --detach --scale gateway=2 --scale workers=2'
    : `Next: ${out === UNITS_FILE ? '' : `install -m 600 ${out} ${UNITS_FILE}, then `}docs/operations/without-containers.md#units`,
)
console.log(
  place === 'compose'
    ? 'Then: docker compose run --rm ops doctor'
    : 'Then: docs/operations/after-start.md',
)
