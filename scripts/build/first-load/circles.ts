import type { Manifest } from '#gateway/pages/preloads'

/**
 * Keys of the manifest whose chunks import each other in a circle, from one to itself; empty if there is
 * none. In a circle a module may run before what it imports, which is then undefined.
 */
export function chunkCircle(manifest: Manifest): string[] {
  const done = new Set<string>()

  function follow(key: string, path: string[]): string[] {
    if (path.includes(key)) return [...path.slice(path.indexOf(key)), key]
    if (done.has(key)) return []
    for (const next of manifest[key]?.imports ?? []) {
      const circle = follow(next, [...path, key])
      if (circle.length > 0) return circle
    }
    done.add(key)
    return []
  }
  for (const key of Object.keys(manifest)) {
    const circle = follow(key, [])
    if (circle.length > 0) return circle
  }
  return []
}
