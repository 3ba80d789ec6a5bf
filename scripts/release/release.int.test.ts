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

/** A repository with a check of one line; the check passes unless a file `broken` exists. */
function repository(): string {
  const root = testFolder()
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), text)
  }
  const own = { name: 'product', version: '0.1.0' }
  write('package.json', JSON.stringify(own))
  write('package-lock.json', JSON.stringify({ ...own, lockfileVersion: 3, packages: { '': own } }))
  write('.ci/run', 'echo checked >> "$CHECKS"; test ! -e broken')
  fs.copyFileSync(path.join(ROOT, '.npmrc'), path.join(root, '.npmrc'))
  write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n\n${NOTES}\n## 0.1.0\n\n- The first.\n`)
  write('deploy/helm/Chart.yaml', 'name: product\nversion: 0.1.0\nappVersion: 0.1.0\n')
  for (const file of Object.keys(GENERATED)) write(file, 'old')
  run(root, 'git', 'init', '--quiet')
  run(root, 'git', 'config', 'user.name', 'Ada')
  run(root, 'git', 'config', 'user.email', 'ada@test.example')
  run(root, 'git', 'add', '.')
  run(root, 'git', 'commit', '--quiet', '--message', 'Add something')
  return root
}

/** Runs `npm run release` there; returns whether it succeeded, what it printed and how often it checked. */
function release(root: string, version: string) {
  const checks = path.join(testFolder(), 'checks')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', TSX, path.join(ROOT, 'scripts/commands/release.ts'), version],
    { cwd: root, encoding: 'utf8', env: { ...ENV, CHECKS: checks } },
  )
  const checked = fs.existsSync(checks) ? fs.readFileSync(checks, 'utf8').split('\n').length - 1 : 0
  return { released: status === 0, printed: stdout + stderr, checked }
}

it.skipIf(!hasGit)(
  `a release sets version, chart, changelog and generated documents, commits and tags${NOTE}`,
  () => {
    const root = repository()
    expect(release(root, '1.2.0')).toMatchObject({ released: true, checked: 1 })
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
  },
)

it.skipIf(!hasGit)(`a release that fails its check changes nothing${NOTE}`, () => {
  const root = repository()
  const before = run(root, 'git', 'rev-parse', 'HEAD')
  fs.writeFileSync(path.join(root, '.git/info/exclude'), 'broken\n')
  fs.writeFileSync(path.join(root, 'broken'), '')
  const answer = release(root, '1.2.0')
  expect(answer).toMatchObject({ released: false, checked: 1 })
  expect(answer.printed).toContain('bash .ci/run failed: 1.2.0 is not released')
  expect(run(root, 'git', 'rev-parse', 'HEAD')).toBe(before)
  expect(run(root, 'git', 'tag', '--list')).toBe('')
  expect(run(root, 'git', 'status', '--porcelain')).toBe('')

  fs.writeFileSync(path.join(root, 'note'), 'new')
  expect(release(root, '1.2.0')).toMatchObject({ released: false, checked: 0 })
})

it.skipIf(!hasGit)(
  `a release that fails after its check leaves everything as it was${NOTE}`,
  () => {
    const root = repository()
    const own = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
    const broken = { ...own, scripts: { version: 'exit 1' } }
    fs.writeFileSync(path.join(root, 'package.json'), JSON.stringify(broken))
    run(root, 'git', 'commit', '--quiet', '--all', '--message', 'Break npm version')
    const answer = release(root, '1.2.0')
    expect(answer).toMatchObject({ released: false, checked: 1 })
    expect(answer.printed).toContain('npm version failed: 1.2.0 is not released')
    expect(run(root, 'git', 'status', '--porcelain')).toBe('')
    expect(releaseProblem(root, '1.2.0')).toBeUndefined()
  },
)

it.skipIf(!hasGit)(`a release that cannot be made is refused with the reason${NOTE}`, () => {
  const root = repository()
  run(root, 'git', 'tag', 'v1.3.0')
  expect(releaseProblem(root, 'next')).toContain('write it like 1.2.0')
  expect(releaseProblem(root, '0.1.0')).toContain('not newer than 0.1.0')
  expect(releaseProblem(root, '1.3.0')).toContain('The tag v1.3.0 exists already')
  expect(releaseProblem(root, '1.2.0')).toBeUndefined()
  fs.writeFileSync(path.join(root, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n')
  expect(releaseProblem(root, '1.2.0')).toContain('not clean')
  run(root, 'git', 'commit', '--quiet', '--all', '--message', 'Empty the changelog')
  expect(releaseProblem(root, '1.2.0')).toContain('nothing under "Unreleased"')
})
