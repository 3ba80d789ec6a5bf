import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Secrets } from '#db/process/config'

/**
 * Secrets for development and tests: made once for each data folder, readable by its owner alone.
 * Two callers at once get the same ones.
 */
export function developmentSecrets(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json')
  if (!fs.existsSync(file)) {
    const secrets: Secrets = {
      SESSION_KEYS: randomBytes(32).toString('base64url'),
      DATA_KEY: randomBytes(32).toString('base64'),
    }
    const own = `${file}.${process.pid}`
    fs.mkdirSync(dataDir, { recursive: true })
    fs.writeFileSync(own, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
    try {
      fs.linkSync(own, file)
    } catch (error) {
      if (!fs.existsSync(file)) throw error
    } finally {
      fs.rmSync(own, { force: true })
    }
  }
  return JSON.parse(fs.readFileSync(file, 'utf8')) as Secrets
}
