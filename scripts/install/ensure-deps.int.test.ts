import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { processMark } from '#runtime/process/lifetime/process-lock.mjs'
import { ROOT } from '#runtime/process/root'
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

/** What an npm command needs before anything is installed. */
const FIRST_FILES = [
  'package.json',
  'package-lock.json',
  'runtime/process/lifetime',
  'scripts/commands.mjs',
  'scripts/install',
  'scripts/run.mjs',
]

/** An npm that starts a script of a package and does not end. */
const SLOW_NPM = `
  import { spawn } from 'node:child_process'
  import fs from 'node:fs'
  const script = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  fs.writeFileSync('pids', [process.ppid, process.pid, script.pid].join(' '))
  setInterval(() => {}, 1000)`

/** Starts `npm start` in a new clone below a parent process, and waits until npm installs. */
async function installing() {
  const root = testFolder()
  for (const file of FIRST_FILES) {
    fs.cpSync(path.join(ROOT, file), path.join(root, file), { recursive: true })
  }
  const npm = path.join(root, 'npm-cli.js')
  fs.writeFileSync(npm, SLOW_NPM)
  const start = `require('node:child_process').spawn(process.execPath, ['scripts/run.mjs', 'start'])
    .once('exit', (code) => process.exit(code))`
  const { npm_lifecycle_event: _, ...env } = process.env
  const parent = spawn(process.execPath, ['-e', start], {
    cwd: root,
    env: { ...env, npm_execpath: npm },
    stdio: 'ignore',
  })
  const pids = await vi.waitFor(
    () => {
      const ids = fs.readFileSync(path.join(root, 'pids'), 'utf8').split(' ').map(Number)
      expect(ids).toHaveLength(3)
      return ids
    },
    { timeout: 60_000 },
  )
  const living = () => pids.filter((pid) => processMark(pid) !== undefined)
  onTestFinished(() => {
    for (const pid of living()) process.kill(pid, 'SIGKILL')
    parent.kill('SIGKILL')
  })
  return { root, parent, runner: pids[0] ?? 0, living }
}

const exitOf = async (child: ChildProcess) => (await once(child, 'exit'))[0]

describe.skipIf(process.platform === 'win32')('an installation', () => {
  it('npm start whose parent is killed during the installation goes on with nothing', async () => {
    const { parent, living } = await installing()
    expect(living()).toHaveLength(3)
    parent.kill('SIGKILL')
    await vi.waitFor(() => expect(living()).toEqual([]), { timeout: 60_000 })
  })

  it('the npm of a killed npm start is ended before the next installation', async () => {
    const { root, parent, runner, living } = await installing()
    process.kill(runner, 'SIGKILL')
    await exitOf(parent)
    expect(living()).toHaveLength(2)
    fs.mkdirSync(path.join(root, 'node_modules'))
    await ensureDeps(root, () =>
      vi.waitFor(() => expect(living()).toEqual([]), { timeout: 60_000 }),
    )
    expect(fs.readdirSync(root).filter((name) => name.startsWith('.deps-lock'))).toEqual([])
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s to npm start ends the installation with its scripts', async (signal, code) => {
    const { parent, runner, living } = await installing()
    const exit = exitOf(parent)
    process.kill(runner, signal)
    expect(await exit).toBe(code)
    await vi.waitFor(() => expect(living()).toEqual([]), { timeout: 60_000 })
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
