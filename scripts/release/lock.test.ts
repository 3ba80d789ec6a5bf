import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'

type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string>> & {
  allowScripts: Record<string, boolean>
}
type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
}
type Platform = { optional?: boolean; os?: string[]; cpu?: string[] }
type Lock = { packages: Record<string, Locked & Platform> }

/**
 * Problems with how dependencies are pinned. Not lockfile-lint: it compares download URLs with
 * allowed hosts, while this lock must hold none, and it reads neither pins nor `allowScripts`.
 */
function lockProblems(manifest: Manifest, { packages }: Lock): string[] {
  const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  const problems = wanted.flatMap(([name, version]) => {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return [`${name} is not pinned: ${version}`]
    const locked = packages[`node_modules/${name}`]?.version ?? 'nothing'
    return locked === version ? [] : [`${name} is ${version} and locked at ${locked}`]
  })
  for (const [folder, locked] of Object.entries(packages).filter(([key]) => key !== '')) {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    // complete-lock.mjs cannot know the hashes of packages for other platforms.
    const isForeign = locked.optional && (locked.os || locked.cpu)
    if (!locked.integrity?.startsWith('sha512-') && !isForeign) problems.push(`${name} has no hash`)
    if (locked.resolved) problems.push(`${name} names its download URL`)
    if (locked.hasInstallScript && !isForeign && !(name in manifest.allowScripts)) {
      problems.push(`${name} has an install script: decide about it in allowScripts`)
    }
  }
  return problems
}

const json = (file: string) => JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'))
const manifest = json('package.json')
const lock = json('package-lock.json')

describe('lockProblems', () => {
  it('dependencies are pinned, locked with hashes, and every install script is decided', () => {
    expect(lockProblems(manifest, lock)).toEqual([])
  })

  it('the peers of the bench are pinned and locked with hashes, without install scripts', () => {
    const peers = { ...json('trials/peers/package.json'), allowScripts: {} }
    expect(lockProblems(peers, json('trials/peers/package-lock.json'))).toEqual([])
  })

  it.each([
    ['koa is not pinned: ^3.3.0', { dependencies: { koa: '^3.3.0' } }, {}],
    ['koa is 9.9.9 and locked at 3.3.0', { dependencies: { koa: '9.9.9' } }, {}],
    ['gone is 1.0.0 and locked at nothing', { dependencies: { gone: '1.0.0' } }, {}],
    ['evil has no hash', {}, { version: '1.0.0' }],
    ['evil has no hash', {}, { integrity: 'sha1-abc' }],
    [
      'evil names its download URL',
      {},
      { integrity: 'sha512-abc', resolved: 'https://evil.example/evil.tgz' },
    ],
    [
      'evil has an install script: decide about it in allowScripts',
      {},
      { integrity: 'sha512-abc', hasInstallScript: true },
    ],
  ])('a bad lock is reported: %s', (problem, changed, evil) => {
    const packages = Object.keys(evil).length > 0 ? { 'node_modules/evil': evil } : {}
    const problems = lockProblems(
      { ...manifest, ...changed },
      { packages: { ...lock.packages, ...packages } },
    )
    expect(problems).toEqual([problem])
  })
})

it('pages and style sheets load nothing from another host', () => {
  const files = fs.readdirSync(path.join(ROOT, 'client'), { recursive: true, encoding: 'utf8' })
  const shown = files.filter((file) => file.endsWith('.html') || file.endsWith('.css'))
  expect(shown).toEqual(expect.arrayContaining(['index.html', 'theme.css']))
  for (const file of shown) {
    const text = fs.readFileSync(path.join(ROOT, 'client', file), 'utf8')
    expect(text, file).not.toMatch(/(src|href)="https?:|url\(["']?https?:|@import\s+["']?https?:/)
  }
})
