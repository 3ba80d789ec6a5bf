import type { Db } from '#db/postgres/transaction'
import type { Config } from '#db/process/config'
import { RuleError } from '#rules/rule-error'

/** Input of an operator's command. */
export type OpsCall = {
  db: Db
  config: Config
  /** Missing if REDIS_URL is not set: the embedded Redis belongs to another process. */
  redisUrl: string | undefined
  args: string[]
  options: { reason?: string; out?: string; min?: string }
}

/**
 * The value of a required argument.
 * @throws {RuleError} `bad_input` if it is missing
 */
export function needed(value: string | undefined, name: string): string {
  if (!value) throw new RuleError('bad_input', `${name} is missing`)
  return value
}
