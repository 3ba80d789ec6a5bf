import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { importGraph, isProduct } from './import-graph.ts'
import { testFolder } from './temp-folder.ts'

const ABOVE_DB = ['#workers/server', '#gateway/app', '#contract/routes', '#client/app']

/** Imports that the linter must reject, by zone; the first zone that holds a folder counts. */
const FORBIDDEN: Record<string, string[]> = {
  'db/rules': ['#db/tasks', ...ABOVE_DB, 'node:fs'],
  'gateway/contract': [
    '#db/tasks',
    '#runtime/config/config',
    '#workers/server',
    '#gateway/app',
    '#client/app',
  ],
  db: ABOVE_DB,
  workers: ['#gateway/app', '#contract/routes', '#client/app'],
  gateway: ['#workers/server', '#client/app'],
  runtime: ['#db/tasks', ...ABOVE_DB],
  trials: [
    '#db/tasks',
    '#gateway/app',
    '#workers/jobs/maintenance',
    '#client/app',
    '#scripts/dev/dev',
  ],
  operators: ['#client/app'],
  client: ['#db/tasks', '#runtime/config/config', '#workers/server', '#gateway/app', 'node:fs'],
}

const product = [...importGraph(ROOT)]
  .filter(([file]) => isProduct(file) && !file.startsWith('scripts/'))
  .map(([file]) => file)
/** Trials are no product, and have doors to it. */
const folders = [...new Set(product.map((file) => path.posix.dirname(file))), 'trials/kit']

function forbiddenIn(folder: string): string[] {
  if (folder.startsWith('trials/')) return ['../tasks.ts', ...(FORBIDDEN.trials ?? [])]
  const zone = Object.keys(FORBIDDEN).find((each) => `${folder}/`.startsWith(`${each}/`)) ?? ''
  return [
    '../tasks.ts',
    '#scripts/run',
    '#trials/run',
    ...(zone === 'operators' ? [] : ['#operators/run']),
    ...(FORBIDDEN[zone] ?? []),
  ]
}

type Report = {
  diagnostics: { category: string; location: { path: string; start: { line: number } } }[]
}

/** Lines of each folder's probe at which the linter rejects an import: one run for all folders. */
function lintProbes(): Map<string, number[]> {
  const root = testFolder()
  fs.copyFileSync(path.join(ROOT, 'biome.json'), path.join(root, 'biome.json'))
  for (const folder of folders) {
    fs.mkdirSync(path.join(root, folder), { recursive: true })
    const imports = forbiddenIn(folder).map((specifier) => `import '${specifier}'\n`)
    fs.writeFileSync(path.join(root, folder, 'probe.ts'), imports.join(''))
  }
  const biome = path.join(ROOT, 'node_modules/@biomejs/biome/bin/biome')
  const options = [
    '--vcs-enabled=false',
    '--only=style/noRestrictedImports',
    '--reporter=json',
    '--max-diagnostics=none',
  ]
  const { stdout } = spawnSync(process.execPath, [biome, 'lint', ...options, '.'], {
    cwd: root,
    encoding: 'utf8',
  })
  const lines = new Map<string, number[]>(folders.map((folder) => [folder, []]))
  for (const { category, location } of (JSON.parse(stdout) as Report).diagnostics) {
    expect(category).toBe('lint/style/noRestrictedImports')
    lines.get(path.posix.dirname(location.path))?.push(location.start.line)
  }
  return lines
}

it('forbidden imports are rejected by the linter in every product folder', () => {
  const rejected = lintProbes()
  const accepted = folders.flatMap((folder) =>
    forbiddenIn(folder)
      .filter((_, index) => !rejected.get(folder)?.includes(index + 1))
      .map((specifier) => `${folder} may import ${specifier}`),
  )
  expect(accepted).toEqual([])
})
