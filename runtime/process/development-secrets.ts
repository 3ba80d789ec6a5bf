import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { newPrivateKey } from '#runtime/secrets/vapid-keys'

const random = (encoding: 'base64' | 'base64url') => randomBytes(32).toString(encoding)

/** Made once for each data folder. The last file takes precedence: in some folders it holds the key of seals, too. */
export function developmentSecrets(dataDir: string) {
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

/** Settings that production requires and development generates, as environment variables. */
export type Secrets = ReturnType<typeof developmentSecrets>

/** Readable by the owner only. link(2) fails if the file exists, so concurrent callers all get the first text. */
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
