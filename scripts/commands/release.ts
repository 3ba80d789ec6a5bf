import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { readArguments } from '#runtime/process/read-arguments'
import { GENERATED } from '#scripts/docs/generated'
import { releaseChangelog, releaseChart, releaseProblem } from '#scripts/release/release'

/** Makes a release in the current folder (CONTRIBUTING.md: Releases). */
const { positionals } = readArguments('npm run release -- <version>', { allowPositionals: true })
const [version = ''] = positionals
const root = process.cwd()

function refuse(): void {
  const problem = releaseProblem(root, version)
  if (!problem) return
  console.error(problem)
  process.exit(1)
}

function run(program: string, ...args: string[]): void {
  if (spawnSync(program, args, { cwd: root, stdio: 'inherit' }).status === 0) return
  console.error(`${program} ${args[0]} failed: ${version} is not released`)
  process.exit(1)
}

refuse()
run('bash', '.ci/run')
// Somebody may have edited or tagged while the check ran.
refuse()
const before = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
process.on('exit', (code) => {
  if (code !== 0) spawnSync('git', ['reset', '--hard', '--quiet', before], { cwd: root })
})
run('npm', 'version', version, '--no-git-tag-version')
releaseChangelog(root, version, new Date().toISOString().slice(0, 10))
releaseChart(root, version)
for (const [file, text] of Object.entries(GENERATED)) {
  fs.writeFileSync(path.join(root, file), text())
}
run('git', 'commit', '--quiet', '--all', '--message', `Release ${version}`)
run('git', 'tag', '--annotate', `v${version}`, '--message', `Release ${version}`)
