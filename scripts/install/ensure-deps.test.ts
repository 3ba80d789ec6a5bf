import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { testFolder } from '#scripts/testing/temp-folder'
import { ensureDeps, npmArguments } from './ensure-deps.mjs'

const PACKAGES = {
  '': {},
  'node_modules/a': { version: '1.0.0' },
  'node_modules/b': { version: '2.0.0', optional: true, os: ['none'] },
}

function project(installed?: object) {
  const root = testFolder()
  const write = (file: string, packages: object) =>
    fs.writeFileSync(path.join(root, file), JSON.stringify({ packages }))
  write('package-lock.json', PACKAGES)
  fs.mkdirSync(path.join(root, 'node_modules'))
  if (installed) write('node_modules/.package-lock.json', installed)
  return { root, install: vi.fn(), write }
}

describe('ensureDeps', () => {
  it('a second call of ensure-deps installs nothing', async () => {
    const { root, install } = project()
    expect(await ensureDeps(root, install)).toBe(true)
    expect(await ensureDeps(root, install)).toBe(false)
    expect(install).toHaveBeenCalledOnce()
  })

  it('a changed lock file causes another install', async () => {
    const { root, install, write } = project()
    await ensureDeps(root, install)
    write('package-lock.json', { ...PACKAGES, 'node_modules/c': { version: '3.0.0' } })
    expect(await ensureDeps(root, install)).toBe(true)
  })

  it('packages that npm installed by hand are accepted', async () => {
    const { root, install } = project({ 'node_modules/a': { version: '1.0.0' } })
    expect(await ensureDeps(root, install)).toBe(false)
    expect(install).not.toHaveBeenCalled()
  })

  it('an installed package of another version causes an install', async () => {
    const { root, install } = project({ 'node_modules/a': { version: '1.0.1' } })
    expect(await ensureDeps(root, install)).toBe(true)
  })

  it('packages that npm removed by hand after an install are installed again', async () => {
    const { root, install, write } = project()
    const packages = { 'node_modules/a': { version: '1.0.0' } }
    install.mockImplementation(() => write('node_modules/.package-lock.json', packages))
    expect(await ensureDeps(root, install)).toBe(true)
    expect(await ensureDeps(root, install)).toBe(false)
    write('node_modules/.package-lock.json', {})
    expect(await ensureDeps(root, install)).toBe(true)
    expect(await ensureDeps(root, install)).toBe(false)
  })

  it('a failed install is repeated by the next call', async () => {
    const { root, install } = project()
    install.mockImplementationOnce(() => {
      throw new Error('offline')
    })
    await expect(ensureDeps(root, install)).rejects.toThrow('offline')
    expect(await ensureDeps(root, install)).toBe(true)
  })

  it('the lock of a killed installer is taken over', async () => {
    const { root, install } = project()
    fs.writeFileSync(path.join(root, '.deps-lock'), '1 0')
    expect(await ensureDeps(root, install)).toBe(true)
    expect(fs.readdirSync(root).sort()).toEqual(['node_modules', 'package-lock.json'])
  })
})

describe('npmArguments', () => {
  it('npm gets a cache in the folder only if it cannot write its own', () => {
    const root = testFolder()
    const file = path.join(root, 'file')
    fs.writeFileSync(file, '')
    const argumentsFor = (env: NodeJS.ProcessEnv) => npmArguments(root, ['ci'], env).join(' ')
    const own = `--cache ${path.join(root, '.data', 'npm-cache')}`
    expect(argumentsFor({ npm_config_cache: path.join(root, 'cache'), HOME: file })).not.toContain(
      '--cache',
    )
    expect(argumentsFor({ npm_config_cache: path.join(file, 'cache'), HOME: root })).toContain(own)
    expect(argumentsFor({ HOME: root })).not.toContain('--cache')
    expect(argumentsFor({ HOME: file })).toContain(own)
  })
})
