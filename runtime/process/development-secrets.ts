import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Secrets } from '#runtime/config/config'
import { newPrivateKey } from '#runtime/secrets/vapid-keys'

type PushSecrets = Pick<Secrets, 'VAPID_PRIVATE_KEY'>
type BaseSecrets = Omit<Secrets, keyof PushSecrets>
type SealSecrets = Pick<Secrets, 'LEDGER_SEAL_KEY'>

const newSealSecrets = (): SealSecrets => ({
  LEDGER_SEAL_KEY: randomBytes(32).toString('base64'),
})

function newSecrets(): BaseSecrets {
  return {
    SESSION_KEYS: randomBytes(32).toString('base64url'),
    DATA_KEY: randomBytes(32).toString('base64'),
    ...newSealSecrets(),
  }
}

const newPushSecrets = (): PushSecrets => ({ VAPID_PRIVATE_KEY: newPrivateKey() })

const readOnce = <T extends object>(file: string, make: () => T): T =>
  JSON.parse(writeOnce(file, () => `${JSON.stringify(make(), null, 2)}\n`))

/**
 * Secrets for development and tests: made once for each data folder. Data folders of earlier versions
 * have the first file only, some of them without the key of seals.
 */
export function developmentSecrets(dataDir: string): Secrets {
  const base = readOnce(path.join(dataDir, 'secrets.json'), newSecrets)
  // The file of an earlier version holds the public key too.
  const { VAPID_PRIVATE_KEY } = readOnce(path.join(dataDir, 'push-secrets.json'), newPushSecrets)
  return {
    ...(base.LEDGER_SEAL_KEY
      ? base
      : { ...base, ...readOnce(path.join(dataDir, 'seal-secrets.json'), newSealSecrets) }),
    VAPID_PRIVATE_KEY,
  }
}

/**
 * The content of a file that is written once and readable by its owner only. link(2) fails if the
 * file exists, so concurrent callers all get the text of the first one.
 */
export function writeOnce(file: string, text: () => string): string {
  if (!fs.existsSync(file)) {
    const draft = `${file}.${process.pid}`
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(draft, text(), { mode: 0o600 })
    try {
      fs.linkSync(draft, file)
    } catch (error) {
      if (!fs.existsSync(file)) throw error
    } finally {
      fs.rmSync(draft, { force: true })
    }
  }
  return fs.readFileSync(file, 'utf8')
}
