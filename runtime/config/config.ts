import { OperatorError } from '#runtime/operator-error'
import { publicKeyOf } from '#runtime/secrets/vapid-keys'
import {
  defaultOf,
  type FieldOf,
  fieldOf,
  isForOperators,
  SETTINGS,
  type Setting,
  type SettingName,
} from './settings.ts'

type SettingValues = {
  [Name in SettingName as FieldOf<Name>]: ReturnType<(typeof SETTINGS)[Name]['parse']>
}

/** Read once from the environment of the process and checked (docs/settings.md). */
export type Config = SettingValues & {
  production: boolean
  /** What browsers subscribe to push messages with; undefined if they are off. */
  vapidPublicKey: string | undefined
  /** Keyed by task id. */
  taskLinks: Record<string, string>
}

/** `problems` says for each wrong setting what to set. */
export class ConfigError extends OperatorError {
  constructor(readonly problems: string[]) {
    super(`Settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
  }
}

type Env = Record<string, string | undefined>

/**
 * Commands need only these, a role all that the table requires. Without REDIS_URL, `redisUrl` is empty: the embedded
 * Redis of development belongs to another process.
 */
export const NEEDED_BY_COMMANDS: readonly SettingName[] = ['DATABASE_URL', 'DATA_KEY']

function readSettings(
  env: Env,
  { production, needed }: { production: boolean; needed: readonly string[] | undefined },
  problems: string[],
): SettingValues {
  const values = Object.entries(SETTINGS).map(([name, setting]: [string, Setting]) => {
    const field = fieldOf(name, setting)
    const value = env[name]?.trim() || defaultOf(setting, production)
    const isRequired = setting.required === 'always' || (setting.required && production)
    if (isRequired && !value) {
      if (needed && !needed.includes(name)) {
        return [field, setting.parse('', { production: false, problem: () => {} })]
      }
      problems.push(`${name} is missing: ${setting.hint}`)
      return [field, undefined]
    }
    const problem = (text: string) => void problems.push(`${name} ${text}`)
    if (production && !isForOperators(name) && value !== setting.default) {
      problem('is for tests: leave it out in production')
    }
    return [field, setting.parse(value, { production, problem })]
  })
  return Object.fromEntries(values) as SettingValues
}

/**
 * Secrets have no default; development makes them (runtime/process/development-secrets.ts).
 * @param needed the required settings that must be set; absent, all of them
 * @throws {ConfigError} that lists every problem
 */
export function readConfig(env: Env, needed?: readonly SettingName[]): Config {
  const production = env.NODE_ENV === 'production'
  const problems: string[] = []
  const values = readSettings(env, { production, needed }, problems)
  // Node refuses to create a server whose headers may take longer than the whole request.
  if (values.headersTimeoutMs > values.requestTimeoutMs) {
    problems.push('HEADERS_TIMEOUT_MS is more than REQUEST_TIMEOUT_MS: set it to at most as much')
  }
  if (!values.telegramBotToken !== !values.telegramBotName) {
    problems.push('TELEGRAM_BOT_TOKEN and TELEGRAM_BOT_NAME go together: set both or none')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  const { taskTwitterUrl, taskTelegramUrl, vapidPrivateKey } = values
  return {
    ...values,
    production,
    vapidPublicKey: vapidPrivateKey && publicKeyOf(vapidPrivateKey),
    taskLinks: { follow_twitter: taskTwitterUrl, join_telegram: taskTelegramUrl },
  }
}

export function loadConfig(env: NodeJS.ProcessEnv, needed?: readonly SettingName[]): Config {
  try {
    return readConfig(env, needed)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) console.error(problem)
    process.exit(1)
  }
}
