import type { Logger } from 'pino'
import type { Db } from '#db/postgres/statements/transaction'
import type { Config } from '#runtime/config/config'
import type { ReviewSessions } from './sign-in/sessions.ts'

/** What the pages of reviewers work with. */
export type ReviewServices = {
  db: Db
  config: Config
  redisUrl: string | undefined
  /** Exactly what reviewers open, such as `http://127.0.0.1:3100`. */
  origin: string
  sessions: ReviewSessions
  log: Logger
}
