import fs from 'node:fs'
import path from 'node:path'

type Manifest = {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}
type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
  hasInstallScript?: boolean
}
type Lock = { packages: Record<string, Locked> }

/** What is wrong with how dependencies are pinned; an empty list where nothing is. */
export function lockProblems(manifest: Manifest, lock: Lock): string[] {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  const problems = wanted.flatMap(([name, version]) => {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return [`${name} is not pinned: ${version}`]
    const locked = lock.packages[`node_modules/${name}`]?.version
    return locked === version ? [] : [`${name} is ${version} and locked at ${locked ?? 'nothing'}`]
  })
  for (const [folder, locked] of Object.entries(lock.packages)) {
    if (folder === '') continue
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    // The registry that wrote the lock could not name the hashes of some platforms' own builds.
    const isForeign = locked.optional && (locked.os || locked.cpu)
    if (!locked.integrity?.startsWith('sha512-') && !isForeign) problems.push(`${name} has no hash`)
    if (locked.resolved) problems.push(`${name} names its download address`)
    if (locked.hasInstallScript && !isForeign && !(name in manifest.allowScripts)) {
      problems.push(`${name} wants to run a script and nobody has decided about it`)
    }
  }
  return problems
}

const SECRETS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[\w+/=]/,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\b(gh[pousr]_\w{36}|github_pat_\w{22,}|glpat-[\w-]{20}|npm_\w{36}|xox[abprs]-[\w-]{10,})/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\./,
  /\bsk_live_\w{20,}|\bAIza[\w-]{35}\b/,
  /\b(SESSION_KEYS|DATA_KEY|SMTP_PASSWORD)\s*[=:]\s*['"]?[\w+/=-]{32,}/,
]

/** The lines of a text that look like a secret somebody could use. */
export function secretLines(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, index) => (SECRETS.some((secret) => secret.test(line)) ? [index + 1] : []))
}

const NOT_OURS = new Set(['node_modules', '.git', '.data', 'dist', 'coverage', '.env'])

/** Every file of the repository that is text. */
export function textFiles(folder: string): string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (NOT_OURS.has(entry.name)) return []
    if (entry.isDirectory()) return textFiles(file)
    return entry.isFile() && !/\.(png|woff2|ico|log)$/.test(entry.name) ? [file] : []
  })
}
