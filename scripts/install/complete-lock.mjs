// Plain Node, built-ins only. Run it after each change of dependencies.
//
// npm leaves optional packages of other platforms out of package-lock.json, and `npm ci` of npm 11 then refuses it:
// https://github.com/npm/cli/issues/4828, /8320. This adds them from the exact pins of their parents.
//
// Delete this file and platform-of.mjs when `npm install` on Linux writes a lock file that `npm ci`
// accepts on macOS and Windows.
import fs from 'node:fs'
import { platformOf } from './platform-of.mjs'

const FILE = 'package-lock.json'
const NESTED = '/node_modules/'

const lock = JSON.parse(fs.readFileSync(FILE, 'utf8'))
const packages = lock.packages

/** As Node finds a package: from the dependent's folder outwards. */
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
    console.warn(`${name} ${version} not added: its version or platform is unclear`)
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
console.log(`${FILE}: ${added} optional packages of other platforms added`)
