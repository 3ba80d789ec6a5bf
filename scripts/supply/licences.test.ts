import { describe, expect, it } from 'vitest'
import { isAllowed, licenceOf, licenceProblems } from './licences.ts'
import { readLock, readManifest } from './lock.ts'
import { clientPackages, shippedPackages } from './shipped-packages.ts'

describe('licences', () => {
  it('every locked package has an allowed licence', () => {
    expect(licenceProblems(readLock())).toEqual([])
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

it('packages of the client count as shipped, and tools do not', () => {
  const manifest = readManifest()
  expect(clientPackages(manifest)).toEqual(expect.arrayContaining(['react', 'socket.io-client']))
  const shipped = shippedPackages(readLock(), manifest)
  expect(shipped).toEqual(expect.arrayContaining(['node_modules/koa', 'node_modules/scheduler']))
  expect(shipped).not.toContain('node_modules/vitest')
})
