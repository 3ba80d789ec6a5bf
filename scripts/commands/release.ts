import fs from 'node:fs'
import path from 'node:path'
import { readArguments } from '#runtime/process/read-arguments'
import { GENERATED } from '#scripts/docs/generated'
import { releaseChangelog, releaseChart, releaseProblem } from '#scripts/release/release'

/**
 * Steps of `npm run release -- 1.2.0` (CONTRIBUTING.md): `npm version` passes both versions in the environment and
 * itself checks the tree, sets the version, commits and tags. With `--check` nothing is written.
 */
const { values } = readArguments('npm run release -- <version>', {
  options: { check: { type: 'boolean' } },
})
const root = process.cwd()
const { npm_old_version: current = '', npm_new_version: version = '' } = process.env

if (values.check) {
  const problem = releaseProblem(root, current, version)
  if (problem) console.error(problem)
  process.exit(problem ? 1 : 0)
}
releaseChangelog(root, version, new Date().toISOString().slice(0, 10))
releaseChart(root, version)
for (const [file, text] of Object.entries(GENERATED)) {
  fs.writeFileSync(path.join(root, file), text())
}
