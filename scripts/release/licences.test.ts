import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { readJson } from '#scripts/testing/read-file'
import { testFolder } from '#scripts/testing/temp-folder'

const LOCK: { packages: LockedPackages } = readJson('package-lock.json')

/** The `packages` of package-lock.json by folder; the repository itself is ''. */
type LockedPackages = Record<
  string,
  { version?: string; license?: string; optionalDependencies?: Record<string, string> }
>

/** The name of the package in a folder of `node_modules`. */
const nameOf = (folder: string) =>
  folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * Licences that permit use, change and sale without conditions on our own code, and what each asks of
 * anybody who passes the program on. Any other licence fails the check until somebody has read it.
 */
const ALLOWED: Record<string, string> = {
  MIT: 'its text and copyright notice go along',
  'MIT-0': 'nothing',
  ISC: 'its text and copyright notice go along',
  '0BSD': 'nothing',
  'BSD-2-Clause': 'its text and copyright notice go along',
  'BSD-3-Clause': 'its text and copyright notice go along; no use of the authors’ names',
  'Apache-2.0': 'its text, copyright notice and NOTICE file go along',
  'BlueOak-1.0.0': 'its text goes along',
  'CC0-1.0': 'nothing',
  Unlicense: 'nothing',
  Zlib: 'its notice stays in the source',
  'Python-2.0': 'its text and copyright notice go along',
  'MPL-2.0': 'changed files of the package itself stay public; we change none',
  'OFL-1.1': 'for fonts: its text goes along, and the font is not sold on its own',
}

/** Packages whose manifest names no licence in the usual field; their licence file was read. */
const READ_BY_HAND: Record<string, string> = {
  'xmlhttprequest-ssl@2.1.2': 'MIT',
}

/** Written by complete-lock.mjs for builds for other platforms, which have their parent's licence. */
const OF_PARENT = 'SEE PARENT'

/** The licence of a locked package, an SPDX expression; undefined if nobody says. */
function licenceOf(packages: LockedPackages, folder: string): string | undefined {
  const { license, version } = packages[folder] ?? {}
  const name = nameOf(folder)
  if (license === OF_PARENT) {
    const parent = Object.entries(packages).find(
      ([, { optionalDependencies }]) => optionalDependencies?.[name] !== undefined,
    )
    return parent?.[1].license
  }
  return license ?? READ_BY_HAND[`${name}@${version}`]
}

/** Whether one of the alternatives of an SPDX expression is allowed with all of its parts. */
function isAllowed(expression: string): boolean {
  return expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((part) => Object.hasOwn(ALLOWED, part.trim())))
}

/** Packages without a licence or with one that is not allowed. */
function licenceProblems(packages: LockedPackages): string[] {
  const folders = Object.keys(packages).filter((folder) => folder !== '')
  return folders.flatMap((folder) => {
    const licence = licenceOf(packages, folder)
    const name = `${nameOf(folder)} ${packages[folder]?.version}`
    if (licence === undefined) return [`${name} names no licence: read it, then READ_BY_HAND`]
    return isAllowed(licence) ? [] : [`${name} has the licence ${licence}, which is not allowed`]
  })
}

describe('licences', () => {
  it('every locked package has an allowed licence', () => {
    expect(licenceProblems(LOCK.packages)).toEqual([])
  })

  it('a copyleft licence and a missing one are reported', () => {
    const packages = {
      '': {},
      'node_modules/free': { version: '1.0.0', license: 'MIT' },
      'node_modules/free/node_modules/viral': { version: '2.0.0', license: 'AGPL-3.0-only' },
      'node_modules/silent': { version: '3.0.0' },
    }
    expect(licenceProblems(packages)).toEqual([
      'viral 2.0.0 has the licence AGPL-3.0-only, which is not allowed',
      'silent 3.0.0 names no licence: read it, then READ_BY_HAND',
    ])
  })

  it('a choice of licences needs one that is allowed, a combination needs all', () => {
    expect(isAllowed('(MIT OR GPL-3.0-only)')).toBe(true)
    expect(isAllowed('MIT AND GPL-3.0-only')).toBe(false)
    expect(isAllowed('GPL-3.0-only OR (MIT AND ISC)')).toBe(true)
  })

  it('a build for another platform has the licence of its parent', () => {
    const packages = {
      'node_modules/tool': { license: 'MPL-2.0', optionalDependencies: { 'tool-arm': '1.0.0' } },
      'node_modules/tool-arm': { license: 'SEE PARENT' },
    }
    expect(licenceOf(packages, 'node_modules/tool-arm')).toBe('MPL-2.0')
  })
})

const SCRIPT = path.join(ROOT, 'scripts/release/third-party-licences.mjs')

describe('third-party-licences.txt', () => {
  it('every installed package is there with its texts, or with what its manifest says', () => {
    const root = testFolder()
    const write = (file: string, text: string) => {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
      fs.writeFileSync(path.join(root, file), text)
    }
    const add = (folder: string, manifest: object) =>
      write(`${folder}/package.json`, JSON.stringify({ version: '1.0.0', ...manifest }))
    add('node_modules/a', { name: 'a', license: 'MIT' })
    write('node_modules/a/LICENSE.md', 'The text of a.')
    write('node_modules/a/dist/app.js.LICENSE.txt', 'The text of what a bundles.')
    write('node_modules/a/dist/licence.js', 'code')
    add('node_modules/a/node_modules/@x/b', { name: '@x/b', license: 'ISC', author: 'Ada' })
    add('node_modules/c', { name: 'c', license: 'MIT', contributors: [{ name: 'Eve' }] })
    const folders = ['', 'node_modules/a', 'node_modules/a/node_modules/@x/b', 'node_modules/c']
    const packages = Object.fromEntries([...folders, 'node_modules/other'].map((key) => [key, {}]))
    write('package-lock.json', JSON.stringify({ packages }))

    const { stdout } = spawnSync(process.execPath, [SCRIPT], { cwd: root, encoding: 'utf8' })
    expect(stdout.split('\n').filter(Boolean)).toEqual([
      '==== a 1.0.0',
      '---- node_modules/a/LICENSE.md',
      'The text of a.',
      '---- node_modules/a/dist/app.js.LICENSE.txt',
      'The text of what a bundles.',
      '==== @x/b 1.0.0',
      'Licence: ISC',
      'Author: Ada',
      'The package carries no licence text.',
      '==== c 1.0.0',
      'Licence: MIT',
      'Author: Eve',
      'The package carries no licence text.',
    ])
  })
})
