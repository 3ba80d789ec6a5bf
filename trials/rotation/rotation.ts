import { randomBytes } from 'node:crypto'
import type { Stage } from '#trials/kit/stage'
import type { Trial } from '#trials/kit/trial'

/** What the steps of the trial work with. */
export type Rotation = Pick<Trial, 'report' | 'defer'> & {
  stage: Stage
  /** URL of the database with a role that may create roles. */
  adminUrl: string
  redisUrl: string
  /** Restarts all processes one after the other; a row of the report. */
  roll(step: string, change: NodeJS.ProcessEnv): Promise<void>
}

/** A key or password that was never used before. */
export const newSecret = (encoding: 'hex' | 'base64' = 'hex') => randomBytes(32).toString(encoding)
