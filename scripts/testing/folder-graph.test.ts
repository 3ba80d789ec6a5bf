import { expect, it } from 'vitest'
import { ROOT } from '#runtime/process/root'
import { findCircle, importGraph, isProduct } from './import-graph.ts'

/**
 * Two levels of folders; a file outside of them, such as `gateway/app.ts`, is its own node. The door to the engines
 * is below the folders that call them, and the engines are above these folders: three levels.
 */
const nodeOf = (file: string) =>
  file
    .split('/')
    .slice(0, file.startsWith('db/engine/') ? 3 : 2)
    .join('/')

function folderGraph(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const [file, imports] of importGraph(ROOT)) {
    if (!isProduct(file)) continue
    const from = nodeOf(file)
    const edges = graph.get(from) ?? new Set()
    for (const to of imports.map(nodeOf)) {
      if (to !== from) edges.add(to)
    }
    graph.set(from, edges)
  }
  return graph
}

it('imports between product folders close no circle', () => {
  expect(findCircle(folderGraph()).join(' > ')).toBe('')
})

it('a circle of imports is detected', () => {
  const graph = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['b'])],
  ])
  expect(findCircle(graph)).toEqual(['b', 'c', 'b'])
})
