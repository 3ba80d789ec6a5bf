import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Secrets } from '#db/process/config'
import { writeOnce } from './write-once.ts'

function newSecrets(): Secrets {
  return {
    SESSION_KEYS: randomBytes(32).toString('base64url'),
    DATA_KEY: randomBytes(32).toString('base64'),
    LEDGER_SEAL_KEY: randomBytes(32).toString('base64'),
  }
}

/** Secrets for development and tests: made once for each data folder. */
export function developmentSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json')
  return JSON.parse(writeOnce(file, () => `${JSON.stringify(newSecrets(), null, 2)}\n`))
}
