import { MEMBER_CHUNKS, PUBLIC, START, screenOf } from '#gateway/pages/preloads'

/** Paths below `client/`. */
const SCREENS = {
  entry: 'main.tsx',
  app: START,
  member: MEMBER_CHUNKS,
  home: screenOf('/mine'),
  screens: ['/wallet', '/tasks', '/team', '/network', '/swap', '/account', '/inbox'].map(screenOf),
  publicScreens: PUBLIC.map(screenOf),
}

type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null }

/** Packages that every page runs on, without the modules that only members need. */
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
    '@tanstack/query-core',
    'i18next',
    'react-i18next',
  ].join('|')})/(?!.*(hydration|vanilla/utils))`,
)
/** Packages of components on pages of visitors and of members. */
const PRIMITIVES = /\/node_modules\/@radix-ui\/react-(slot|compose-refs|context|primitive)\//
/** Modules that the bundler adds, which the entry needs too. */
const ADDED = /^\0/

/** From the last to the first: a chunk imports only chunks that stand after it. */
const CHUNKS = ['member', 'common', 'app', 'framework', 'entry'] as const
type Chunk = (typeof CHUNKS)[number]

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

function chunksOf(modules: Modules, client: string): Map<string, Chunk> {
  const { entry, app, member, home, screens, publicScreens } = SCREENS
  const needs = (sources: string[]) =>
    new Set(sources.flatMap((source) => [...needsOf(modules, `${client}${source}`)]))
  const ofVisitors = needs(publicScreens)
  const ofOtherScreens = needs(screens)
  const result = new Map<string, Chunk>()
  const sharedByHome = [...needs([home])].filter((id) => ofOtherScreens.has(id))
  for (const id of [...sharedByHome, ...needs(member)]) {
    result.set(id, ofVisitors.has(id) ? 'common' : 'member')
  }
  for (const id of needs([app])) result.set(id, 'app')
  for (const id of needs([entry])) result.set(id, 'entry')
  // The manifest names these, so each is the source of its own chunk.
  for (const source of [entry, app, home, ...member, ...screens, ...publicScreens]) {
    result.delete(`${client}${source}`)
  }
  return result
}

/**
 * The bundler would make a chunk for each combination of pages that use a module: dozens of files of a few hundred
 * bytes, which compress badly and are a request each. A chunk takes all that its modules need and no later one of
 * `CHUNKS` has, so no circle of chunks runs a module before what it imports.
 * @param client the folder of the client, with a slash at its end
 */
export function chunkGroups(client: string) {
  let chunks: Map<string, Chunk> | undefined

  function chunkOf(id: string, modules: Modules): Chunk | undefined {
    if (ADDED.test(id)) return 'entry'
    if (FRAMEWORK.test(id)) return 'framework'
    if (PRIMITIVES.test(id)) return 'common'
    chunks ??= chunksOf(modules, client)
    return chunks.get(id)
  }
  return CHUNKS.map((name, priority) => ({
    priority,
    name: (id: string, modules: Modules) => (chunkOf(id, modules) === name ? name : null),
  }))
}
