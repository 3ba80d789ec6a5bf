// Imports nothing from the app: the build would move shared code to a second file, and a worker is one.

/** Real ms that a page request waits for the network, which has the member's first screen, before the cache. */
export const PAGE_LIMIT_MS = 300

/** Longest time for one file of an installation, real ms, and the files that are loaded at the same time. */
const FILE_LIMIT_MS = 60_000
const FILES_AT_ONCE = 3

const PREFIX = 'shell-'
const SHELL = '/'
/** Contained in our page and not in that of a captive portal. */
const PAGE_MARKER = '<div id="root">'
/** Contained in a page that holds a member's data (`INITIAL_DATA_ID` of the contract). */
const MEMBER_MARKER = 'id="initial-data"'
/** Contained in a page of the build, which names its entry. */
const ENTRY = /<script type="module"[^>]* src="(.*?)"/
/** A page of the cache runs it like any other; its name has no hash. */
const RECOVERY = '/recover.js'
const UNCACHED = /^\/(api|avatars|socket\.io|dev|healthz|readyz|metrics|status|unsubscribe)(\/|$)/

/** Whether the app shows this path; the gateway answers the others itself. */
export const isAppPath = (pathname: string) => !UNCACHED.test(pathname)

/** How a request is served; null leaves it to the browser, like every API request. */
export function kindOf(
  { method, mode, url }: Pick<Request, 'method' | 'mode' | 'url'>,
  origin: string,
) {
  const { pathname, origin: requested } = new URL(url)
  if (method !== 'GET' || requested !== origin || !isAppPath(pathname)) return null
  if (pathname.startsWith('/assets/') || pathname === RECOVERY) return 'asset'
  return mode === 'navigate' ? 'page' : null
}

/**
 * Fails if a file cannot be loaded. The page is requested without cookies and must hold no member's data, because
 * every member gets it. A page of another release has other assets: the installation is tried again later.
 */
export async function cacheShell(build: string, assets: string[]): Promise<void> {
  const page = await fetch(SHELL, {
    cache: 'no-cache',
    credentials: 'omit',
    signal: AbortSignal.timeout(FILE_LIMIT_MS),
  })
  const html = await page.clone().text()
  if (!page.ok || !html.includes(PAGE_MARKER) || html.includes(MEMBER_MARKER))
    throw new Error('The server did not answer with the app page')
  if (!assets.includes(ENTRY.exec(html)?.[1] ?? ''))
    throw new Error('The server answered with the page of another release')
  const cache = await caches.open(`${PREFIX}${build}`)
  await addFiles(cache, [...assets, RECOVERY])
  await cache.put(SHELL, page)
}

/** Without HTTP/2 browsers open six connections: files that a dead network holds must not keep all of them. */
async function addFiles(cache: Cache, urls: string[]): Promise<void> {
  const add = async (url: string) => {
    const file = await fetch(url, { signal: AbortSignal.timeout(FILE_LIMIT_MS) })
    if (!file.ok) throw new Error(`${url} was answered ${file.status}`)
    await cache.put(url, file)
  }
  for (let from = 0; from < urls.length; from += FILES_AT_ONCE)
    await Promise.all(urls.slice(from, from + FILES_AT_ONCE).map(add))
}

/** Keeps two builds before this one: an open tab may run either, as one between may never have become active. */
export async function deleteOldShells(build: string): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX))
  const others = names.filter((name) => name !== `${PREFIX}${build}`)
  await Promise.all(others.slice(0, -2).map((name) => caches.delete(name)))
}

/** A cache that fails, as with full storage, keeps nothing from the page. No page of a captive portal is stored. */
export async function serveAsset(build: string, request: Request): Promise<Response> {
  const cached = await caches.match(request).catch(() => undefined)
  if (cached) return cached
  const response = await fetch(request)
  const isFile = !response.headers.get('Content-Type')?.startsWith('text/html')
  if (response.ok && isFile) {
    const copy = response.clone()
    const store = caches.open(`${PREFIX}${build}`).then((cache) => cache.put(request, copy))
    await store.catch(() => {})
  }
  return response
}

/** Serves the page from the network, or from the cache if that fails or does not answer at once. */
export async function servePage(build: string, request: Request): Promise<Response> {
  const fresh = fetch(request)
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, PAGE_LIMIT_MS))
  const first = await Promise.race([fresh.catch(() => undefined), timeout])
  if (first && first.status < 500) return first
  const shell = caches.open(`${PREFIX}${build}`).then((cache) => cache.match(SHELL))
  return (await shell.catch(() => undefined)) ?? fresh
}
