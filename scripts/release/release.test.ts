import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { GENERATED } from '#scripts/docs/generated'
import { testFolder } from '#scripts/testing/temp-folder'
import { releaseProblem } from './release.ts'

const NOTES = '### Added\n\n- Something new.\n'
const TSX = pathToFileURL(path.join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href
const RELEASE = `node --import "${TSX}" "${path.join(ROOT, 'scripts/commands/release.ts')}"`

const hasGit = spawnSync('git', ['--version']).status === 0
const NOTE = hasGit ? '' : ' (skipped: git is not installed)'

/**
 * Without the settings of this machine's npm and git, and without those of an npm or a hook of git that
 * runs the suite.
 */
const ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm|git)_/i.test(name))),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  npm_config_userconfig: '/dev/null',
}

/** Runs a program in a folder; returns what it printed. */
function run(folder: string, program: string, ...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: ENV,
  })
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${stdout}${stderr}`)
  return stdout.trim()
}

/** A repository with the scripts of a release, without the check of everything. */
function repository(): string {
  const root = testFolder()
  const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  expect(scripts.preversion).toBe('node scripts/run.mjs release --check && bash .ci/run')
  const write = (file: string, text: string) => fs.writeFileSync(path.join(root, file), text)
  const version = scripts.version.replace('node scripts/run.mjs release', RELEASE)
  const own = { name: 'product', version: '0.1.0' }
  write(
    'package.json',
    JSON.stringify({ ...own, scripts: { preversion: `${RELEASE} --check`, version } }),
  )
  write('package-lock.json', JSON.stringify({ ...own, lockfileVersion: 3, packages: { '': own } }))
  fs.copyFileSync(path.join(ROOT, '.npmrc'), path.join(root, '.npmrc'))
  write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n\n${NOTES}\n## 0.1.0\n\n- The first.\n`)
  fs.mkdirSync(path.join(root, 'deploy/helm'), { recursive: true })
  write('deploy/helm/Chart.yaml', 'name: product\nversion: 0.1.0\nappVersion: 0.1.0\n')
  for (const file of Object.keys(GENERATED)) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    write(file, 'old')
  }
  run(root, 'git', 'init', '--quiet')
  run(root, 'git', 'config', 'user.name', 'Ada')
  run(root, 'git', 'config', 'user.email', 'ada@test.example')
  run(root, 'git', 'add', '.')
  run(root, 'git', 'commit', '--quiet', '--message', 'Add something')
  return root
}

it.skipIf(!hasGit)(
  `npm version sets version, chart, changelog and generated documents, commits and tags${NOTE}`,
  () => {
    const root = repository()
    run(root, 'npm', 'version', '1.2.0')
    const json = (file: string) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))
    expect(json('package.json').version).toBe('1.2.0')
    expect(json('package-lock.json').packages[''].version).toBe('1.2.0')
    expect(fs.readFileSync(path.join(root, 'deploy/helm/Chart.yaml'), 'utf8')).toBe(
      'name: product\nversion: 1.2.0\nappVersion: 1.2.0\n',
    )
    const day = new Date().toISOString().slice(0, 10)
    expect(fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')).toContain(
      `## Unreleased\n\n## 1.2.0 - ${day}\n\n${NOTES}\n## 0.1.0\n\n- The first.\n`,
    )
    expect(run(root, 'git', 'status', '--porcelain')).toBe('')
    expect(run(root, 'git', 'log', '-1', '--format=%s')).toBe('Release 1.2.0')
    expect(run(root, 'git', 'cat-file', '-t', 'v1.2.0')).toBe('tag')
    const changed = run(root, 'git', 'show', '--name-only', '--format=', 'v1.2.0^{commit}').split(
      '\n',
    )
    expect(changed).toEqual(
      expect.arrayContaining(['CHANGELOG.md', 'docs/openapi.json', 'package.json']),
    )

    const before = run(root, 'git', 'rev-parse', 'HEAD')
    expect(() => run(root, 'npm', 'version', '1.3.0')).toThrow('nothing under "Unreleased"')
    fs.writeFileSync(path.join(root, 'CHANGELOG.md'), 'changed')
    expect(() => run(root, 'npm', 'version', '1.3.0')).toThrow('not clean')
    expect(run(root, 'git', 'rev-parse', 'HEAD')).toBe(before)
    expect(json('package.json').version).toBe('1.2.0')
  },
)

it.skipIf(!hasGit)(`a version that is none, not newer or tagged already is refused${NOTE}`, () => {
  const root = repository()
  run(root, 'git', 'tag', 'v1.3.0')
  expect(releaseProblem(root, '0.1.0', 'next')).toContain('write it like 1.2.0')
  expect(releaseProblem(root, '0.1.0', '0.1.0')).toContain('not newer than 0.1.0')
  expect(releaseProblem(root, '0.1.0', '1.3.0')).toContain('The tag v1.3.0 exists already')
  expect(releaseProblem(root, '0.1.0', '1.2.0')).toBeUndefined()
})
