import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { misspeltSettings } from '#runtime/config/misspelt-settings'
import { defaultOf, isForOperators, SETTINGS, type Setting } from '#runtime/config/settings'
import { readText } from '#scripts/testing/read-file'
import { OTHER_VARIABLES } from './settings-page.ts'

const TABLE: Record<string, Setting> = Object.fromEntries(
  Object.entries(SETTINGS).filter(([name]) => isForOperators(name)),
)
/** Read from the environment alone: a file could set them too late. */
const NOT_IN_ENV_FILE = ['OPERATOR', 'GRAFANA_PASSWORD', 'TESP_DATA_DIR']
const OTHER_DEFAULTS: Record<string, string> = {
  ALERTMANAGER_CONFIG: './operators/monitoring/alertmanager.yml',
  HTTP_PORT: '80',
  HTTPS_PORT: '443',
  PROXY_TRUSTS: '127.0.0.1/32',
  TESP_IMAGE: 'tesp-network',
}

/** What the parser of a setting reports for a text. */
function parseProblems(name: string, value: string, production: boolean): string[] {
  const problems: string[] = []
  const problem = (text: string) => void problems.push(`${name} ${text}`)
  if (value) TABLE[name]?.parse(value, { production, problem })
  return problems
}

/** How `.env.example` differs from the table: missing, extra and wrong-default settings. */
function envFileProblems(file: string): string[] {
  const lines = [...file.matchAll(/^(?:# )?([A-Z][A-Z_]+)=(.*)$/gm)]
  const given = new Map(lines.map(([, name = '', value = '']) => [name, value]))
  const wanted = [...Object.keys(TABLE), ...Object.keys(OTHER_VARIABLES)].filter(
    (name) => !NOT_IN_ENV_FILE.includes(name),
  )
  const missing = wanted.filter((name) => !given.has(name)).map((name) => `${name} is missing`)
  const wrong = [...given].flatMap(([name, value]) => {
    if (!wanted.includes(name)) return [`${name} is no setting`]
    const setting = TABLE[name]
    const expected = setting ? defaultOf(setting, false) : OTHER_DEFAULTS[name]
    if (expected && value !== expected) return [`${name} is ${value}, by default ${expected}`]
    return parseProblems(name, value, false)
  })
  return [...missing, ...wrong]
}

type Compose = { 'x-app': { environment: Record<string, string> } }

/** `${NAME:-default}` or `${NAME:?message}`. */
const SUBSTITUTION = /^\$\{([A-Z_]+):([-?])(.*)\}$/

function composeProblem(name: string, value: string): string[] {
  const setting = TABLE[name]
  if (!setting) return [`${name} is no setting`]
  const [, from, kind, rest = ''] = SUBSTITUTION.exec(value) ?? []
  if (!from) return value.includes('${') ? [] : parseProblems(name, value, true)
  if (from !== name) return [`${name} is taken from ${from}`]
  const expected = defaultOf(setting, true)
  if (kind === '-' && setting.required) return [`${name} is required and has a default`]
  if (kind === '?' && !setting.required) return [`${name} has a default and is required`]
  return kind === '-' && rest !== expected ? [`${name} is ${rest}, by default ${expected}`] : []
}

/** How the environment of docker-compose.yml differs from the table for production. */
function composeProblems(file: string): string[] {
  const { environment } = (parse(file, { merge: true }) as Compose)['x-app']
  const missing = Object.entries(TABLE)
    .filter(([name, { required }]) => required && !(name in environment))
    .map(([name]) => `${name} is missing`)
  const wrong = Object.entries(environment).flatMap(([name, value]) =>
    composeProblem(name, String(value)),
  )
  return [...missing, ...wrong]
}

describe('.env.example', () => {
  const file = readText('.env.example')

  it('.env.example holds every setting with its default', () => {
    expect(envFileProblems(file)).toEqual([])
  })

  it.each([
    ['PORT is missing', '# PORT=3000', ''],
    ['PORTS is no setting', '# PORT=3000', '# PORT=3000\n# PORTS=1'],
    ['PORT is 3001, by default 3000', '# PORT=3000', '# PORT=3001'],
    ['HTTP_PORT is 81, by default 80', 'HTTP_PORT=80', 'HTTP_PORT=81'],
    [
      'TRUSTED_PROXIES "10.0.0.0/99" is not an IP address or network (10.0.0.0/8)',
      '10.0.0.0/8',
      '10.0.0.0/99',
    ],
  ])('a wrong line in .env.example is found: %s', (problem, before, after) => {
    expect(envFileProblems(file.replace(before, after))).toEqual([problem])
  })
})

describe('docker-compose.yml', () => {
  const file = readText('docker-compose.yml')

  it('docker-compose.yml sets what production requires and repeats no wrong default', () => {
    expect(composeProblems(file)).toEqual([])
  })

  it.each([
    ['DATA_KEY is missing', /^ *DATA_KEY: .*\n/m, ''],
    ['HOSTS is no setting', 'HOST: 0.0.0.0', 'HOST: 0.0.0.0\n    HOSTS: x'],
    ['LOG_LEVEL is warn, by default info', 'LOG_LEVEL:-info', 'LOG_LEVEL:-warn'],
    ['LOG_LEVEL is taken from LEVEL', 'LOG_LEVEL:-info', 'LEVEL:-info'],
    ['DATA_KEY is required and has a default', 'DATA_KEY:?set it in .env', 'DATA_KEY:-x'],
    ['LOG_LEVEL has a default and is required', 'LOG_LEVEL:-info', 'LOG_LEVEL:?set it'],
    ['PORT is "300000": set a whole number from 0 to 65535', 'PORT: "3000"', 'PORT: "300000"'],
  ])('a wrong line in docker-compose.yml is found: %s', (problem, before, after) => {
    expect(composeProblems(file.replace(before, after))).toEqual([problem])
  })
})

it('no variable of docker compose and the commands is taken for a misspelt setting', () => {
  const others = Object.keys(OTHER_VARIABLES).map((name) => [name, 'x'])
  expect(misspeltSettings(Object.fromEntries(others))).toEqual([])
})
