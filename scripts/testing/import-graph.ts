import fs from 'node:fs'
import path from 'node:path'

const FOLDERS = ['client', 'db', 'gateway', 'operators', 'runtime', 'scripts', 'trials', 'workers']

/** `import`, `export … from` and `import()`; imports of types are erased and do not count. */
const IMPORT =
  /^(?:import|export)\s+(?!type\s)(?:[^'"]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm

/** The TypeScript files of the source folders, relative to `root`, sorted. */
export function sourceFiles(root: string): string[] {
  return FOLDERS.filter((folder) => fs.existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => path.posix.join(folder, file.split(path.sep).join('/'))),
    )
    .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && !file.includes('/node_modules/'))
    .sort()
}

const SUPPORT = /(^|\/)(testing|fuzz|bench|e2e)\/|^trials\/|\.(test|e2e|bench)\.tsx?$/

/** Whether a source file is part of the product, not of its tests and measurements. */
export const isProduct = (file: string) => !SUPPORT.test(file)

type Aliases = Record<string, string>

function resolveAlias(aliases: Aliases, specifier: string): string | undefined {
  for (const [pattern, target] of Object.entries(aliases)) {
    const [prefix = '', suffix] = pattern.split('*')
    if (suffix === undefined ? specifier !== pattern : !specifier.startsWith(prefix)) continue
    if (!specifier.endsWith(suffix ?? '')) continue
    const rest = specifier.slice(prefix.length, specifier.length - (suffix ?? '').length)
    return path.posix.normalize(target.replace('*', rest))
  }
  return undefined
}

/** What a source file imports when it runs, as it names it. */
export const importsOf = (source: string): string[] =>
  Array.from(source.matchAll(IMPORT), ([, from, dynamic]) => from ?? dynamic ?? '')

/**
 * Each source file with the source files that it imports when it runs, or with those of `files` that `imports`
 * finds in it.
 */
export function importGraph(
  root: string,
  files = sourceFiles(root),
  imports = importsOf,
): Map<string, string[]> {
  const manifest = fs.readFileSync(path.join(root, 'package.json'), 'utf8')
  const aliases = (JSON.parse(manifest) as { imports: Aliases }).imports
  const existing = new Set(files)
  const resolve = (file: string, specifier: string) =>
    specifier.startsWith('./')
      ? path.posix.join(path.posix.dirname(file), specifier)
      : resolveAlias(aliases, specifier)
  return new Map(
    files.map((file) => {
      const source = fs.readFileSync(path.join(root, file), 'utf8')
      const targets = imports(source).map((specifier) => resolve(file, specifier))
      return [file, targets.filter((target) => target !== undefined && existing.has(target))]
    }) as [string, string[]][],
  )
}

/** The first circle that a depth-first walk of a graph finds, from a node to itself; empty if there is none. */
export function findCircle(graph: Map<string, Iterable<string>>): string[] {
  const done = new Set<string>()
  const walk = (node: string, above: string[]): string[] => {
    if (above.includes(node)) return [...above.slice(above.indexOf(node)), node]
    if (done.has(node)) return []
    for (const next of graph.get(node) ?? []) {
      const circle = walk(next, [...above, node])
      if (circle.length > 0) return circle
    }
    done.add(node)
    return []
  }
  for (const node of graph.keys()) {
    const circle = walk(node, [])
    if (circle.length > 0) return circle
  }
  return []
}
