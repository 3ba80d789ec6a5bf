import fs from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { developmentSecrets } from './development-secrets.ts'
import { DATA_DIR, ROOT } from './root.ts'

/** `.env` never overrides the environment. Outside of production, generated secrets are added. */
export function readEnvironment(): NodeJS.ProcessEnv {
  const file = path.join(ROOT, '.env')
  const fromFile = fs.existsSync(file) ? parseEnv(fs.readFileSync(file, 'utf8')) : {}
  const merged: NodeJS.ProcessEnv = { ...fromFile, ...process.env }
  if (merged.NODE_ENV === 'production') return merged
  for (const [name, secret] of Object.entries(developmentSecrets(DATA_DIR))) {
    merged[name] ||= secret
  }
  return merged
}
