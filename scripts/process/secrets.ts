import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Secrets } from '#db/process/config/config'
import { newKeyPair } from '#db/process/secrets/vapid-keys'
import { writeOnce } from './write-once.ts'

type PushSecrets = Pick<Secrets, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY'>
type BaseSecrets = Omit<Secrets, keyof PushSecrets>

function newSecrets(): BaseSecrets {
  return {
    SESSION_KEYS: randomBytes(32).toString('base64url'),
    DATA_KEY: randomBytes(32).toString('base64'),
    LEDGER_SEAL_KEY: randomBytes(32).toString('base64'),
  }
}

function newPushSecrets(): PushSecrets {
  const { publicKey, privateKey } = newKeyPair()
  return { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }
}

const readOnce = <T extends object>(file: string, make: () => T): T =>
  JSON.parse(writeOnce(file, () => `${JSON.stringify(make(), null, 2)}\n`))

/**
 * Secrets for development and tests: made once for each data folder. Those of push messages have a
 * file of their own, because data folders of earlier versions have the first one only.
 */
export function developmentSecrets(dataDir: string): Secrets {
  return {
    ...readOnce(path.join(dataDir, 'secrets.json'), newSecrets),
    ...readOnce(path.join(dataDir, 'push-secrets.json'), newPushSecrets),
  }
}
