import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
type Packages = Record<string, { license?: string }>

/** Rows of docs/dependencies.md: package, licence and one file that uses it. */
const rows = [
  ...read('docs/dependencies.md').matchAll(
    /^\| `([^`]+)`(?: ★)? \| [^|]+ \| ([^|]+) \| `([^`]+)` \|$/gm,
  ),
].map(([, name = '', licence = '', file = '']) => ({ name, licence, file }))

describe('docs/dependencies.md', () => {
  it('docs/dependencies.md has one row for each dependency in package.json', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'))
    const names = Object.keys({ ...dependencies, ...devDependencies })
    expect(rows.map(({ name }) => name).sort()).toEqual(names.sort())
  })

  it('docs/dependencies.md gives the licences of the lock file', () => {
    const packages: Packages = JSON.parse(read('package-lock.json')).packages
    const locked = rows.map(({ name }) => [name, packages[`node_modules/${name}`]?.license])
    expect(rows.map(({ name, licence }) => [name, licence])).toEqual(locked)
  })

  it.each(rows)('$name is named in $file', ({ name, file }) => {
    expect(read(file)).toContain(name.replace(/^@types\/node$/, 'node'))
  })
})
