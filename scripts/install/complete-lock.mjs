// Plain Node, built-ins only. Run it after each change of dependencies (`npm run lock`).
//
// `npm ci` of npm 11 refuses a lock file that lacks optional packages of other platforms, and npm
// leaves those out that the registry could not serve when it wrote the lock. This fills them in from
// their parents' exact pins. They are never downloaded here: os and cpu say "another platform".
import fs from 'node:fs'
import { platformOf } from './platform-of.mjs'

const FILE = 'package-lock.json'
const NESTED = '/node_modules/'

const lock = JSON.parse(fs.readFileSync(FILE, 'utf8'))
const packages = lock.packages

/** Looks a dependency up as Node does: from the dependent's own folder outwards. */
function isLocked(dependent, name) {
  let folder = dependent
  while (true) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true
    if (!folder) return false
    folder = folder.includes(NESTED) ? folder.slice(0, folder.lastIndexOf(NESTED)) : ''
  }
}

const missing = Object.entries(packages).flatMap(([dependent, { optionalDependencies, dev }]) =>
  Object.entries(optionalDependencies ?? {})
    .filter(([name]) => !isLocked(dependent, name))
    .map(([name, range]) => ({ name, version: range.replace(/^[~^]/, ''), dev })),
)

let added = 0
for (const { name, version, dev } of missing) {
  const platform = platformOf(name)
  if (!/^\d/.test(version) || !(platform.os || platform.cpu)) {
    console.warn(`left out: ${name} ${version}`)
    continue
  }
  packages[`node_modules/${name}`] = {
    version,
    ...platform,
    ...(dev ? { dev } : {}),
    license: 'SEE PARENT',
    optional: true,
  }
  added += 1
}

lock.packages = Object.fromEntries(
  Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
)
fs.writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${FILE}: ${added} packages of other platforms added`)
