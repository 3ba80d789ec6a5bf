import { importGraph } from './import-graph.ts'

/** Test projects of vitest.config.ts. */
export type ProjectName = 'unit' | 'client' | 'integration' | 'e2e' | 'chaos'

/** A test that imports one of these, directly or not, needs Postgres, Redis or child servers. */
const SERVER_MODULES = new Set(['db/testing/database.ts', 'scripts/embedded/servers.ts'])

type Graph = ReturnType<typeof importGraph>

function needsServers(graph: Graph, file: string, visited = new Set<string>()): boolean {
  if (SERVER_MODULES.has(file)) return true
  if (visited.has(file)) return false
  visited.add(file)
  return (graph.get(file) ?? []).some((imported) => needsServers(graph, imported, visited))
}

function projectOf(graph: Graph, file: string): ProjectName {
  const isJourney = /\.e2e\.tsx?$/.test(file)
  if (file.startsWith('client/e2e/') && isJourney) return 'e2e'
  if (file.startsWith('client/e2e/') || isJourney) {
    throw new Error(`${file} belongs to no test project: name journeys client/e2e/*.e2e.ts`)
  }
  if (file.startsWith('client/')) return 'client'
  if (file.startsWith('trials/chaos/')) return 'chaos'
  return needsServers(graph, file) ? 'integration' : 'unit'
}

/**
 * The test files of each project; each file belongs to exactly one.
 * @throws {Error} if a file belongs to none
 */
export function testProjects(root: string): Record<ProjectName, string[]> {
  const projects: Record<ProjectName, string[]> = {
    unit: [],
    client: [],
    integration: [],
    e2e: [],
    chaos: [],
  }
  const graph = importGraph(root)
  for (const file of graph.keys()) {
    if (/\.(test|e2e)\.tsx?$/.test(file)) projects[projectOf(graph, file)].push(file)
  }
  return projects
}
