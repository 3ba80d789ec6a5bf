/** A file of the client in Vite's manifest; names of other files are keys of the manifest. */
type ManifestEntry = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean }

/** `.vite/manifest.json` of the built client, by the source of each chunk. */
export type Manifest = Record<string, ManifestEntry>

/** Imported by the entry of every page. */
export const START = 'start.tsx'
/** Loaded on every screen of a member. */
export const MEMBER_CHUNKS = ['member-features.ts', 'layout/signed-in-layout.tsx']
/** The page that a path leads to and whose chunk is needed first. */
const LEADS_TO: Record<string, string> = { '/': '/mine' }

/** The source of the screen at a path: `screens/mine/mine-screen.tsx` for `/mine`. */
export const screenOf = (path: string) => `screens${path}${path}-screen.tsx`

/** The sources whose chunks the first screen at a path needs besides the entry. */
function sourcesOf(manifest: Manifest, path: string, isMember: boolean): string[] {
  const shown = LEADS_TO[path] ?? path
  if (!manifest[screenOf(shown)]) return [START]
  if (isMember) return [START, ...MEMBER_CHUNKS, screenOf(shown)]
  // Every other page leads a visitor to the sign-in page.
  if (shown !== '/reset-password') return [START, screenOf('/auth')]
  return [START, screenOf(shown)]
}

/** The keys of the manifest that are loaded with these keys. */
export function closure(
  manifest: Manifest,
  keys: string[],
  loaded = new Set<string>(),
): Set<string> {
  for (const key of keys) {
    const entry = manifest[key]
    if (!entry || loaded.has(key)) continue
    loaded.add(key)
    closure(manifest, entry.imports ?? [], loaded)
  }
  return loaded
}

/** The files of a first screen that the page does not name itself. */
export type Preloads = { scripts: string[]; styles: string[] }

/** The files that the first screen at a path loads after the entry, as the browser would find them. */
export function preloadsOf(manifest: Manifest, path: string, isMember: boolean): Preloads {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const named = closure(manifest, entries)
  const added = [...closure(manifest, sourcesOf(manifest, path, isMember))].filter(
    (key) => !named.has(key),
  )
  const files = added.flatMap((key) => manifest[key] ?? [])
  return {
    scripts: files.map(({ file }) => `/${file}`),
    styles: [...new Set(files.flatMap(({ css = [] }) => css))].map((file) => `/${file}`),
  }
}
