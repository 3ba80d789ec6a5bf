import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8')
type Packages = Record<string, { license?: string }>

/** Whether a file, or a source file below a folder that ends with a slash, contains the text. */
function isNamedIn(place: string, text: string): boolean {
  if (!place.endsWith('/')) return read(place).includes(text)
  const files = fs.readdirSync(path.join(ROOT, place), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.(tsx?|mjs|css)$/.test(file))
  return sources.some((file) => read(path.join(place, file)).includes(text))
}

/** Entries of docs/dependencies.md: package, licence and the file or folder that uses it. */
const rows = [
  ...read('docs/dependencies.md').matchAll(
    /^- `([^`]+)`(?: ★)? \(([^,()]+|\([^)]*\)), `([^`]+)`\): /gm,
  ),
].map(([, name = '', licence = '', place = '']) => ({ name, licence, place }))

describe('docs/dependencies.md', () => {
  it('docs/dependencies.md has one entry for each dependency in package.json', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'))
    const names = Object.keys({ ...dependencies, ...devDependencies })
    expect(rows.map(({ name }) => name).sort()).toEqual(names.sort())
  })

  it('docs/dependencies.md gives the licences of the lock file', () => {
    const packages: Packages = JSON.parse(read('package-lock.json')).packages
    const locked = rows.map(({ name }) => [name, packages[`node_modules/${name}`]?.license])
    expect(rows.map(({ name, licence }) => [name, licence])).toEqual(locked)
  })

  it.each(rows)('$name is named in $place', ({ name, place }) => {
    expect(isNamedIn(place, name.replace(/^@types\/node$/, 'node'))).toBe(true)
  })
})
