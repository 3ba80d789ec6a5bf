import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { testFolder } from '#scripts/testing/temp-folder'
import { git } from './git.ts'
import { makeRelease, type Release, ReleaseError } from './release.ts'

const NOTES = '### Added\n\n- Something new.\n'

const FILES = ['CHANGELOG.md', 'docs/openapi.json', 'package-lock.json', 'package.json']

/** A repository with the files of this one that name the version, and something unreleased. */
async function repository(): Promise<string> {
  const root = testFolder()
  fs.mkdirSync(path.join(root, 'docs'))
  for (const file of FILES) fs.copyFileSync(path.join(ROOT, file), path.join(root, file))
  const changelog = `# Changelog\n\n## Unreleased\n\n${NOTES}\n## 0.1.0\n\n- The first.\n`
  fs.writeFileSync(path.join(root, 'CHANGELOG.md'), changelog)
  setVersion(root, '0.1.0')
  await git(root, 'init', '--quiet')
  await git(root, 'config', 'user.name', 'Ada')
  await git(root, 'config', 'user.email', 'ada@test.example')
  await git(root, 'add', '.')
  await git(root, 'commit', '--quiet', '--message', 'Add something')
  return root
}

function setVersion(root: string, version: string): void {
  const file = path.join(root, 'package.json')
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'))
  fs.writeFileSync(file, `${JSON.stringify({ ...manifest, version }, null, 2)}\n`)
}

const releaseOf = (root: string, more: Partial<Release> = {}): Release => ({
  root,
  version: '1.2.0',
  date: '2026-11-30',
  check: async () => true,
  generate: async () => {},
  ...more,
})

const json = (root: string, file: string) =>
  JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))

it('a release sets version and changelog, commits and tags', async () => {
  const root = await repository()
  await makeRelease(
    releaseOf(root, {
      async generate() {
        fs.appendFileSync(path.join(root, 'docs/openapi.json'), '\n')
      },
    }),
  )
  expect(json(root, 'package.json').version).toBe('1.2.0')
  expect(json(root, 'package-lock.json').version).toBe('1.2.0')
  expect(json(root, 'package-lock.json').packages[''].version).toBe('1.2.0')
  const changelog = fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  expect(changelog).toContain(
    `## Unreleased\n\n## 1.2.0 - 2026-11-30\n\n${NOTES}\n## 0.1.0\n\n- The first.\n`,
  )
  expect(await git(root, 'status', '--porcelain')).toBe('')
  expect(await git(root, 'log', '-1', '--format=%s')).toBe('Release 1.2.0')
  expect(await git(root, 'cat-file', '-t', 'v1.2.0')).toBe('tag')
  expect(await git(root, 'rev-parse', 'v1.2.0^{commit}')).toBe(await git(root, 'rev-parse', 'HEAD'))
  const changed = await git(root, 'show', '--name-only', '--format=', 'HEAD')
  expect(changed.split('\n').sort()).toEqual(FILES)
})

it('a release changes nothing if a condition is not met', async () => {
  const root = await repository()
  const before = await git(root, 'rev-parse', 'HEAD')
  const refusal = async (more: Partial<Release>) => {
    const error = await makeRelease(releaseOf(root, more)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ReleaseError)
    expect(await git(root, 'rev-parse', 'HEAD')).toBe(before)
    return (error as ReleaseError).message
  }
  expect(await refusal({ version: 'next' })).toContain('write it like 1.2.0')
  expect(await refusal({ version: '0.1.0' })).toContain('not newer than 0.1.0')
  expect(await refusal({ check: async () => false })).toContain('The check failed')
  expect(await git(root, 'status', '--porcelain')).toBe('')
  await git(root, 'tag', 'v1.2.0')
  expect(await refusal({})).toContain('The tag v1.2.0 exists already')
  await git(root, 'tag', '--delete', 'v1.2.0')
  fs.writeFileSync(path.join(root, 'new.txt'), '')
  expect(await refusal({})).toContain('new.txt')
})

it('a release with an empty changelog is refused', async () => {
  const root = await repository()
  await makeRelease(releaseOf(root))
  const second = makeRelease(releaseOf(root, { version: '1.3.0' }))
  await expect(second).rejects.toThrow('nothing under "Unreleased"')
})
