import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Secrets } from '#runtime/config/config'
import { newPrivateKey } from '#runtime/secrets/vapid-keys'

const random = (encoding: 'base64' | 'base64url') => randomBytes(32).toString(encoding)

/**
 * Secrets for development and tests: made once for each data folder. What the last file holds counts:
 * in some folders that is the key of seals too.
 */
export function developmentSecrets(dataDir: string): Secrets {
  const once = <T extends object>(file: string, make: () => T): T =>
    JSON.parse(writeOnce(path.join(dataDir, file), () => `${JSON.stringify(make(), null, 2)}\n`))
  return {
    ...once('seal-secrets.json', () => ({ LEDGER_SEAL_KEY: random('base64') })),
    ...once('push-secrets.json', () => ({ VAPID_PRIVATE_KEY: newPrivateKey() })),
    ...once('secrets.json', () => ({
      SESSION_KEYS: random('base64url'),
      DATA_KEY: random('base64'),
    })),
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
