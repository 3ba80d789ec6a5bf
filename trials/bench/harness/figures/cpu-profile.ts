import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#runtime/process/root'

type Frame = { functionName: string; url: string }
type Profile = {
  nodes: { id: number; callFrame: Frame }[]
  samples: number[]
  timeDeltas: number[]
}

/** Group of a function: its package, or its folder among ours, or what V8 calls it. */
function groupOf({ functionName, url }: Frame): string {
  if (url.startsWith('node:')) return 'Node'
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
  if (name) return name
  if (url.startsWith('file:')) return path.relative(ROOT, path.dirname(new URL(url).pathname))
  if (functionName === '(garbage collector)') return 'garbage collection'
  return functionName.startsWith('(') ? functionName : 'native functions and V8'
}

/**
 * CPU time of a profile (`--cpu-prof` of the sources) by package or folder of ours: shares of all
 * time that was not idle, in percent, the largest first. Time counts for the function that runs, not
 * for its callers.
 * @param skippedMs time at the start of the profile that is left out
 */
export function profileShares(file: string, skippedMs = 0): [group: string, percent: number][] {
  const { nodes, samples, timeDeltas } = JSON.parse(fs.readFileSync(file, 'utf8')) as Profile
  const groups = new Map(nodes.map(({ id, callFrame }) => [id, groupOf(callFrame)]))
  const times = new Map<string, number>()
  let elapsedUs = 0
  for (const [at, id] of samples.entries()) {
    const [group = '?', delta = 0] = [groups.get(id), timeDeltas[at]]
    elapsedUs += delta
    if (group === '(idle)' || elapsedUs < skippedMs * 1_000) continue
    times.set(group, (times.get(group) ?? 0) + delta)
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times]
    .map(([group, time]): [string, number] => [group, (time / total) * 100])
    .sort(([, a], [, b]) => b - a)
}
