import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { readArguments } from '#runtime/process/read-arguments'
import { ROOT } from '#runtime/process/root'
import { importGraph } from '#scripts/testing/import-graph'

/** `npm run house`: what a new owner has to learn; `--root <folder>` counts another checkout. */

const TOP_FOLDERS = [
  'client',
  'gateway',
  'workers',
  'db',
  'runtime',
  'operators',
  'scripts',
  'trials',
]
const SOURCE = /\.(ts|tsx|mjs|css)$/
const TEST = /(^|\/)(testing|e2e)\/|\.(test|e2e|citus|failover)\.\w+$/
/** Files that show that the product is right or fast; they run for no member and no operator. */
const PROOF = /^(trials|gateway\/fuzz)\//
/** Programs that run for members and operators. */
const ENTRIES =
  /^(gateway|workers)\/main\.ts$|^client\/(main|start|prerender)\.tsx$|^client\/offline\/sw\.ts$|^operators\/commands\/.*\.ts$/

const IMPORT = /(?:from|^import|\bimport\()\s*'([^']+)'/gm

const tracked = (root: string) =>
  execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n')

/** Types and style sheets included. */
const importsOf = (source: string) => Array.from(source.matchAll(IMPORT), ([, to = '']) => to)

function reachable(graph: Map<string, string[]>, from: string[]): Set<string> {
  const seen = new Set(from)
  for (const file of seen) for (const target of graph.get(file) ?? []) seen.add(target)
  return seen
}

/** Source files that the section of docs/architecture.md with this heading names or links, once each. */
function walk(root: string, heading: string): number | string {
  const page = fs.readFileSync(path.join(root, 'docs/architecture.md'), 'utf8')
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  const list = section.split(/^### .*file by file.*$/im)[1]
  if (!list) return 'not listed'
  return new Set(list.match(/\b[a-z]+\/[\w./-]+\.(?:ts|tsx)\b/g)).size
}

type Row = [what: string, count: number | string]

function count(root: string): Row[] {
  const all = tracked(root)
  const sources = all.filter(
    (file) => SOURCE.test(file) && TOP_FOLDERS.includes(file.split('/')[0] ?? ''),
  )
  const lines = (file: string) =>
    fs.readFileSync(path.join(root, file), 'utf8').split('\n').length - 1
  const sum = (files: Iterable<string>) =>
    [...files].reduce((total, file) => total + lines(file), 0)
  const product = sources.filter((file) => !TEST.test(file))
  const graph = importGraph(root, sources, importsOf)
  const ships = [
    ...reachable(
      graph,
      product.filter((file) => ENTRIES.test(file)),
    ),
  ].filter((file) => !TEST.test(file))
  const shipping = new Set(ships)
  const folders = new Set(product.map((file) => path.posix.dirname(file)))
  const perFolder = [...folders].map(
    (folder) => product.filter((file) => path.posix.dirname(file) === folder).length,
  )
  const importers = new Map<string, Set<string>>()
  for (const file of sources) {
    for (const target of graph.get(file) ?? []) {
      importers.set(target, (importers.get(target) ?? new Set()).add(file))
    }
  }
  const top = (file: string) => file.split('/')[0]
  const arrows = new Set(
    product.flatMap((file) =>
      (graph.get(file) ?? [])
        .filter((target) => top(target) !== top(file))
        .map((target) => `${top(file)} > ${top(target)}`),
    ),
  )
  const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
  const markdown = all.filter((file) => file.endsWith('.md'))
  const words = markdown.reduce((total, file) => total + read(file).split(/\s+/).length - 1, 0)
  const asksForEngine = product.filter(
    (file) =>
      !PROOF.test(file) && /\b(isDistributed|isCitus|layoutOf|isSplit)\w*\(/.test(read(file)),
  )
  const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const settings = read('.env.example').match(/^#? ?[A-Z][A-Z0-9_]+=/gm) ?? []
  const kept = (each: string) => !PROOF.test(each)
  return [
    ['product lines (no tests)', sum(product)],
    ['… that ship: gateway, workers, client, operators', sum(ships)],
    ['… development and proof', sum(product.filter((file) => !shipping.has(file)))],
    ['… of these, proof', sum(product.filter((file) => !shipping.has(file) && PROOF.test(file)))],
    ['tests and harness, lines', sum(sources.filter((file) => TEST.test(file)))],
    ['words of Markdown', words],
    ['product files', product.length],
    ['folders with product files', folders.size],
    ['folders with one or two product files', perFolder.filter((files) => files < 3).length],
    [
      'files with exactly one importer',
      product.filter((file) => importers.get(file)?.size === 1).length,
    ],
    ['files of 15 lines or fewer', product.filter((file) => lines(file) <= 15).length],
    ['arrows between top folders', arrows.size],
    ['… without trials', [...arrows].filter((arrow) => !arrow.includes('trials')).length],
    ['files of a credit', walk(root, 'The path of a credit')],
    ['files of a claim', walk(root, 'The path of a claim')],
    ['files that ask for the engine', asksForEngine.filter(kept).length],
    ['npm scripts', Object.keys(manifest.scripts).length],
    ['settings in .env.example', new Set(settings.map((line) => line.replace(/^# ?/, ''))).size],
  ]
}

const { values } = readArguments('npm run house [--root <folder>]', {
  options: { root: { type: 'string', default: ROOT } },
})
for (const [what, figure] of count(path.resolve(values.root))) {
  console.log(`${what.padEnd(52)}${String(figure).padStart(10)}`)
}
