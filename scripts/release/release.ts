import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { isOlder } from '#rules/version'

const UNRELEASED = '## Unreleased\n'

function unreleased(changelog: string): string {
  const from = changelog.indexOf(UNRELEASED)
  const [body = ''] = from < 0 ? [] : changelog.slice(from + UNRELEASED.length).split(/^## /m)
  return body.trim()
}

const fileOf = (root: string) => path.join(root, 'CHANGELOG.md')

/** Why the version cannot be released; undefined if it can. */
export function releaseProblem(root: string, version: string): string | undefined {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  const { version: current } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `"${version}" is not a version: write it like 1.2.0`
  if (!isOlder(current, version)) return `${version} is not newer than ${current}`
  const tag = `v${version}`
  if (git('tag', '--list', tag)) return `The tag ${tag} exists already`
  if (git('status', '--porcelain')) return 'The working tree is not clean: commit first'
  if (unreleased(fs.readFileSync(fileOf(root), 'utf8'))) return undefined
  return 'CHANGELOG.md has nothing under "Unreleased"'
}

export function releaseChart(root: string, version: string): void {
  const file = path.join(root, 'deploy/helm/Chart.yaml')
  const chart = fs.readFileSync(file, 'utf8')
  fs.writeFileSync(file, chart.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`))
}

export function releaseChangelog(root: string, version: string, day: string): void {
  const changelog = fs.readFileSync(fileOf(root), 'utf8')
  const titles = `${UNRELEASED}\n## ${version} - ${day}\n`
  fs.writeFileSync(fileOf(root), changelog.replace(UNRELEASED, titles))
}
