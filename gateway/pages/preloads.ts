import { DEFAULT_LANGUAGE, type Language } from '#rules/members/languages'

/** An entry of Vite's manifest; `imports` are keys of the manifest. */
type ManifestEntry = { file: string; imports?: string[]; css?: string[]; isEntry?: boolean }

/** `.vite/manifest.json` of the built client, by the source of each chunk. */
export type Manifest = Record<string, ManifestEntry>

/** Imported by the entry of every page. */
export const START = 'start.tsx'
export const MEMBER_CHUNKS = ['member-features.ts', 'layout/signed-in-layout.tsx']
/** The page that a path leads to and whose chunk is needed first. */
const LEADS_TO: Record<string, string> = { '/': '/mine' }

/** Pages that visitors may open; every other one leads them to the sign-in page. */
export const PUBLIC = ['/auth', '/reset-password', '/verify']
const TEXTS_OF: Record<string, string> = { '/reset-password': '/auth', '/swap': '/network' }

export const screenOf = (path: string) => `screens${path}${path}-screen.tsx`

/** With the texts of the server, which writes English, where visitors fill in forms. */
export function textsOf(path: string, language: Language): string[] {
  const texts = ['/common-and-layout', TEXTS_OF[path] ?? path].map(
    (name) => `language/${language}${name}.ts`,
  )
  const hasErrors = PUBLIC.includes(path) && language !== DEFAULT_LANGUAGE
  return hasErrors ? [...texts, `language/${language}/errors.ts`] : texts
}

type PageKind = { path: string; language: Language; isMember: boolean }

function sourcesOf(manifest: Manifest, { path, language, isMember }: PageKind): string[] {
  const named = LEADS_TO[path] ?? path
  if (!manifest[screenOf(named)]) return [START, `language/${language}/common-and-layout.ts`]
  const shown = isMember || PUBLIC.includes(named) ? named : '/auth'
  const chunks = isMember ? MEMBER_CHUNKS : []
  return [START, ...chunks, screenOf(shown), ...textsOf(shown, language)]
}

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

/** Fonts with the letters of a language, besides those of every page, which the page names itself. */
const FONTS: Partial<Record<Language, RegExp>> = {
  vi: /\/(inter|space-grotesk)-vietnamese-wght-normal\.woff2$/,
}

export function fontsOf(manifest: Manifest, language: Language): string[] {
  const keys = Object.keys(manifest).filter((key) => FONTS[language]?.test(key))
  return keys.flatMap((key) => manifest[key] ?? []).map(({ file }) => `/${file}`)
}

export const fontLink = (file: string): string =>
  `<link rel="preload" as="font" type="font/woff2" href="${file}" crossorigin>`

/** The files of a first screen that the page does not name itself. */
type Preloads = { scripts: string[]; styles: string[]; fonts: string[] }

export function preloadsOf(manifest: Manifest, page: PageKind): Preloads {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry)
  const named = closure(manifest, entries)
  const added = [...closure(manifest, sourcesOf(manifest, page))].filter((key) => !named.has(key))
  const files = added.flatMap((key) => manifest[key] ?? [])
  return {
    scripts: files.map(({ file }) => `/${file}`),
    styles: [...new Set(files.flatMap(({ css = [] }) => css))].map((file) => `/${file}`),
    fonts: fontsOf(manifest, page.language),
  }
}
