import fs from 'node:fs'
import path from 'node:path'
import { isOlder } from '#rules/version'
import { releasedChangelog } from './changelog.ts'
import { git } from './git.ts'

/** Why a release cannot be made; the message is for the person who makes it. */
export class ReleaseError extends Error {}

export type Release = {
  /** Root folder of the repository. */
  root: string
  version: string
  /** Day of the release, as 2026-11-30. */
  date: string
  /** Whether the whole check passes; runs on the tree as it was committed. */
  check(): Promise<boolean>
  /** Writes the generated documents, which name the version. */
  generate(): Promise<void>
}

const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'docs/openapi.json']

const tagOf = (version: string) => `v${version}`

/** Reads a JSON file, changes it and writes it as npm does. */
function editJson<T>(file: string, edit: (content: T) => void): void {
  const content = JSON.parse(fs.readFileSync(file, 'utf8')) as T
  edit(content)
  fs.writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}

type Manifest = { version: string }
type Lock = Manifest & { packages: Record<string, Manifest> }

async function assertReleasable({ root, version }: Release): Promise<void> {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new ReleaseError(`"${version}" is not a version: write it like 1.2.0`)
  }
  const current = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version
  if (!isOlder(current, version)) {
    throw new ReleaseError(`${version} is not newer than ${current}, the version of package.json`)
  }
  const changes = await git(root, 'status', '--porcelain')
  if (changes) throw new ReleaseError(`Commit or remove your changes first:\n${changes}`)
  const tag = tagOf(version)
  if (await git(root, 'tag', '--list', tag)) throw new ReleaseError(`The tag ${tag} exists already`)
}

/** Writes the version into the files that name it. */
async function writeVersion({ root, version, generate }: Release, changelog: string) {
  const at = (file: string) => path.join(root, file)
  editJson<Manifest>(at('package.json'), (manifest) => {
    manifest.version = version
  })
  editJson<Lock>(at('package-lock.json'), (lock) => {
    lock.version = version
    const own = lock.packages['']
    if (own) own.version = version
  })
  fs.writeFileSync(at('CHANGELOG.md'), changelog)
  await generate()
}

/**
 * Moves what is unreleased in the changelog under the version, sets the version of the package,
 * commits and tags. Nothing is pushed. Every condition is checked before the first file is written.
 * @throws {ReleaseError} if a condition is not met
 */
export async function makeRelease(release: Release): Promise<void> {
  const { root, version, date, check } = release
  await assertReleasable(release)
  const changelog = releasedChangelog(
    fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'),
    version,
    date,
  )
  if (!changelog) throw new ReleaseError('CHANGELOG.md has nothing under "Unreleased"')
  if (!(await check())) throw new ReleaseError('The check failed: nothing was released')
  await writeVersion(release, changelog)
  await git(root, 'add', '--', ...FILES)
  await git(root, 'commit', '--quiet', '--message', `Release ${version}`)
  await git(root, 'tag', '--annotate', tagOf(version), '--message', `Release ${version}`)
}
