import { expect, it } from 'vitest'
import { readJson } from '#scripts/testing/read-file'
import { EXTERNAL_PACKAGES, runtimePackages } from './runtime-packages.ts'

it('run-time packages are the transitive dependencies and required peers', () => {
  const packages = {
    'node_modules/a': { dependencies: { b: '1' }, peerDependencies: { c: '1' } },
    'node_modules/b': { optionalDependencies: { '@x/d-linux': '1' } },
    'node_modules/c': {
      peerDependencies: { e: '1' },
      peerDependenciesMeta: { e: { optional: true } },
    },
    'node_modules/@x/d-linux': {},
    'node_modules/e': {},
    'node_modules/f': {},
  }
  expect(runtimePackages(packages, ['a'])).toEqual([
    'node_modules/@x/d-linux',
    'node_modules/a',
    'node_modules/b',
    'node_modules/c',
  ])
})

it('a nested version of a package is found before the outer one', () => {
  const packages = {
    'node_modules/a': { dependencies: { b: '1' } },
    'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/b': {},
    'node_modules/c': {},
  }
  expect(runtimePackages(packages, ['a'])).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
  ])
})

it('packages that depend on each other are listed once', () => {
  const packages = {
    'node_modules/a': { dependencies: { b: '1' } },
    'node_modules/b': { dependencies: { a: '1' } },
  }
  expect(runtimePackages(packages, ['a'])).toEqual(['node_modules/a', 'node_modules/b'])
})

it('packages that bundles load at run time are few', () => {
  const lock = readJson('package-lock.json')
  const folders = runtimePackages(lock.packages, EXTERNAL_PACKAGES)
  expect(folders).toContain('node_modules/@node-rs/argon2-linux-x64-gnu')
  expect(folders.filter((folder) => /\/(tsx|typescript|koa|vite)$/.test(folder))).toEqual([])
})
