/** What the bundler knows about modules. */
type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null }

/** Packages that every page runs on. */
const FRAMEWORK = new RegExp(
  `/node_modules/(${[
    'react',
    'react-dom',
    'scheduler',
    'use-sync-external-store',
    'wouter',
    'regexparam',
    'mitt',
    'jotai',
    'jotai-tanstack-query',
    '@tanstack/(query-core|react-query)',
    'i18next',
    'react-i18next',
    '@radix-ui/react-(slot|compose-refs|context|primitive)',
    'lucide-react/dist/esm/(shared|Icon|context|createLucideIcon|defaultAttributes)',
  ].join('|')})[/.]`,
)

/** Loaded before every page. */
const ENTRY = ['main.tsx']
/** Loaded with the first screen of every page. */
const APP = ['start.tsx']
/** Loaded with every screen of a member. */
const MEMBER = ['member-features.ts', 'layout/signed-in-layout.tsx']
const SCREENS = ['mine', 'wallet', 'tasks', 'team', 'network', 'account'].map(
  (name) => `screens/${name}/${name}-screen.tsx`,
)
/** A module that so many screens of members need is loaded with every one of them. */
const MIN_SCREENS = 4

/** Our modules that a module needs with it, without packages and styles. */
function needsOf(modules: Modules, source: string): Set<string> {
  const found = new Set<string>()
  const follow = (id: string) => {
    if (found.has(id) || !/\.tsx?$/.test(id) || id.includes('/node_modules/')) return
    found.add(id)
    for (const next of modules.getModuleInfo(id)?.importedIds ?? []) follow(next)
  }
  follow(source)
  return found
}

/**
 * Names the chunks that first screens share. The bundler would make one for each combination of pages
 * that use a module, dozens of files of a few hundred bytes, which compress badly and arrive late.
 * @param client the folder of the client, with a slash at its end
 * @returns the chunk of a module; null leaves it to the bundler
 */
export function chunkNames(client: string) {
  let names: Map<string, 'app' | 'member'> | undefined

  function nameAll(modules: Modules): Map<string, 'app' | 'member'> {
    const all = (sources: string[]) =>
      sources.map((source) => needsOf(modules, `${client}${source}`))
    const screens = all(SCREENS)
    const ofScreens = new Set(screens.flatMap((needs) => [...needs]))
    const shared = [...ofScreens].filter(
      (id) => screens.filter((needs) => needs.has(id)).length >= MIN_SCREENS,
    )
    const result = new Map<string, 'app' | 'member'>()
    for (const id of shared) result.set(id, 'member')
    for (const needs of all(MEMBER)) for (const id of needs) result.set(id, 'member')
    for (const needs of all(APP)) for (const id of needs) result.set(id, 'app')
    for (const needs of all(ENTRY)) for (const id of needs) result.delete(id)
    // The manifest names these, so each is the source of a chunk of its own.
    for (const source of [...APP, ...MEMBER]) result.delete(`${client}${source}`)
    return result
  }

  return (id: string, modules: Modules): string | null => {
    if (FRAMEWORK.test(id)) return 'framework'
    names ??= nameAll(modules)
    return names.get(id) ?? null
  }
}
