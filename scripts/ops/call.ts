import type { Db } from '#db/postgres/transaction'
import type { Config } from '#db/process/config'
import { RuleError } from '#rules/rule-error'

/** What an operator's command works with. */
export type OpsCall = {
  db: Db
  config: Config
  /** Absent where Redis is the embedded one of another process. */
  redisUrl: string | undefined
  args: string[]
  options: { reason?: string; out?: string; min?: string }
}

/** An argument that must be there. */
export function needed(value: string | undefined, name: string): string {
  if (!value) throw new RuleError('bad_input', `${name} is missing`)
  return value
}
