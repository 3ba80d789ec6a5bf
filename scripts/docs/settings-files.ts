import { parse } from 'yaml'
import { defaultOf, isForOperators, SETTINGS, type Setting } from '#runtime/config/settings'
import { OTHER_VARIABLES } from './settings-page.ts'

const TABLE: Record<string, Setting> = Object.fromEntries(
  Object.entries(SETTINGS).filter(([name]) => isForOperators(name)),
)
/** Read from the environment alone: a file could set them too late. */
const NOT_IN_ENV_FILE = ['NODE_ENV', 'OPERATOR', 'GRAFANA_PASSWORD']
const OTHER_DEFAULTS: Record<string, string> = {
  TESP_DATA_DIR: '.data',
  REVIEW_PORT: '3100',
  REVIEW_HOST: '127.0.0.1',
  MAIL_PORT: '8025',
  PROMETHEUS_PORT: '9090',
  GRAFANA_PORT: '3001',
  HTTP_PORT: '80',
  HTTPS_PORT: '443',
  TESP_IMAGE: 'tesp-network',
  NODE_IMAGE: 'node:20-bookworm-slim',
}

/** What the parser of a setting reports for a text. */
function parseProblems(name: string, value: string, production: boolean): string[] {
  const problems: string[] = []
  const problem = (text: string) => void problems.push(`${name} ${text}`)
  if (value) TABLE[name]?.parse(value, { production, problem })
  return problems
}

/** How `.env.example` differs from the table: missing, extra and wrong-default settings. */
export function envFileProblems(file: string): string[] {
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
export function composeProblems(file: string): string[] {
  const { environment } = (parse(file, { merge: true }) as Compose)['x-app']
  const missing = Object.entries(TABLE)
    .filter(([name, { required }]) => required && !(name in environment))
    .map(([name]) => `${name} is missing`)
  const wrong = Object.entries(environment).flatMap(([name, value]) =>
    composeProblem(name, String(value)),
  )
  return [...missing, ...wrong]
}
