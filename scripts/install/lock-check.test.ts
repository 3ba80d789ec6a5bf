import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { lockProblems } from './lock-check.ts'

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
