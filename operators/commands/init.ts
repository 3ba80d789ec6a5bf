import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { ConfigError, readConfig } from '#runtime/config/config'
import type { SettingName } from '#runtime/config/settings'
import { readArguments } from '#runtime/process/read-arguments'
import { newPrivateKey } from '#runtime/secrets/vapid-keys'

const CALL =
  'npm run init -- [--for compose|units] [--origin <url>] [--smtp <url>] [--sender <text>] [--database <url>] [--redis <url>] [--out <file>]'

const UNITS_FILE = '/etc/tesp/tesp.env'

type Question = [
  option: 'for' | 'origin' | 'smtp' | 'sender' | 'database' | 'redis',
  setting: string | undefined,
  asks: string,
  usual: string,
]

const QUESTIONS: Question[] = [
  ['for', undefined, 'For docker compose, or for units (systemd)? [compose]', 'compose'],
  ['origin', 'PUBLIC_ORIGIN', 'Origin that members open, such as https://tesp.example:', ''],
  ['smtp', 'SMTP_URL', 'Mail server, such as smtps://user:password@mail.example:', ''],
  ['sender', 'MAIL_FROM', 'Sender of mails, such as TESP Network <no-reply@tesp.example>:', ''],
]
/** Asked for units; compose starts its own servers. */
const SERVERS: Question[] = [
  [
    'database',
    'DATABASE_URL',
    'Database, such as postgres://tesp_a:password@127.0.0.1:5432/tesp:',
    '',
  ],
  [
    'redis',
    'REDIS_URL',
    'Redis, such as redis://:password@127.0.0.1:6379 [redis://127.0.0.1:6379]:',
    'redis://127.0.0.1:6379',
  ],
]

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

const secrets = {
  SESSION_KEYS: hex(),
  DATA_KEY: base64(),
  LEDGER_SEAL_KEY: base64(),
  VAPID_PRIVATE_KEY: newPrivateKey(),
}

/** Undefined if a role would start with these settings; what is not answered yet, or set by compose, may be missing. */
function problemOf(settings: Record<string, string>): string | undefined {
  if (Object.values(settings).some((value) => value.includes("'"))) {
    return "An answer holds a ', which no file of settings can: write it as %27 in a URL."
  }
  try {
    const answered = Object.keys(settings) as SettingName[]
    readConfig({ ...settings, NODE_ENV: 'production' }, answered)
    return undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

const terminal = process.stdin.isTTY
  ? createInterface({ input: process.stdin, output: process.stderr })
  : undefined
// Keeps lines that are pasted before their question.
const typed = terminal?.[Symbol.asyncIterator]()

async function ask(question: string): Promise<string | undefined> {
  if (!terminal || !typed) return undefined
  terminal.setPrompt(`${question} `)
  terminal.prompt()
  const { value, done } = await typed.next()
  return done ? fail('Nothing was written.') : value.trim()
}

/** On a terminal a question is repeated after a wrong answer. */
async function answers(questions: Question[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [option, setting, asks, usual] of questions) {
    let answer = values[option]
    while (answer === undefined) {
      answer = (await ask(asks)) || usual
      const problem = setting && terminal && problemOf({ [setting]: answer })
      if (!problem) break
      console.error(problem)
      answer = undefined
    }
    found[option] = answer || usual
  }
  return found
}

const { out } = values
if (fs.existsSync(out)) fail(`${out} exists and is left as it is: its keys open what is stored.`)
const { for: place = '', origin = '', smtp = '', sender = '' } = await answers(QUESTIONS)
if (place !== 'compose' && place !== 'units') fail(`--for is compose or units, not ${place}`)
const servers = place === 'units' ? await answers(SERVERS) : {}
terminal?.close()

/** The proxy gets a certificate for the host of each origin. */
const siteAddress = (origins: string) =>
  origins
    .split(',')
    .flatMap((one) => (URL.canParse(one) ? [new URL(one).hostname] : []))
    .join(', ')

const settings: Record<string, string> = {
  PUBLIC_ORIGIN: origin,
  SMTP_URL: smtp,
  MAIL_FROM: sender,
  ...secrets,
  ...(place === 'compose'
    ? {
        SITE_ADDRESS: siteAddress(origin),
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

const problem = problemOf(settings)
if (problem) fail(problem)
/** A shell, systemd, docker compose and Node read the same from the file. */
const quoted = (value: string) => (/^[\w@%+=:,./-]*$/.test(value) ? value : `'${value}'`)
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
