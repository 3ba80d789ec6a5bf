// A worker is one file of its own: what it imported from the app would be torn out into a second.

/** How long a page may take to come from the network before the kept shell is shown. */
export const PAGE_LIMIT_MS = 3_000

const PREFIX = 'shell-'
const SHELL = '/'
/** In our page and in no other, such as that of a captive portal. */
const OUR_MARK = '<div id="root">'
const NEVER = /^\/(api|socket\.io|dev|healthz|readyz|metrics)(\/|$)/

/** How a request is served; null leaves it to the browser, as everything behind the API is. */
export function kindOf(
  { method, mode, url }: Pick<Request, 'method' | 'mode' | 'url'>,
  origin: string,
) {
  const { pathname, origin: asked } = new URL(url)
  if (method !== 'GET' || asked !== origin || NEVER.test(pathname)) return null
  if (pathname.startsWith('/assets/')) return 'asset'
  return mode === 'navigate' ? 'page' : null
}

/** Keeps the page and its assets under the name of their build; fails where one cannot be had. */
export async function keepShell(build: string, assets: string[]): Promise<void> {
  const page = await fetch(SHELL, { cache: 'no-cache' })
  if (!page.ok || !(await page.clone().text()).includes(OUR_MARK)) throw new Error('Not our page')
  const cache = await caches.open(`${PREFIX}${build}`)
  await cache.addAll(assets)
  await cache.put(SHELL, page)
}

/** Forgets all builds but this one and the one before, which an open tab may still be running. */
export async function forgetOldShells(build: string): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX))
  const others = names.filter((name) => name !== `${PREFIX}${build}`)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
}

/** A file whose name changes with its content: kept once it was read. */
export async function serveAsset(build: string, request: Request): Promise<Response> {
  const kept = await caches.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    const cache = await caches.open(`${PREFIX}${build}`)
    await cache.put(request, answer.clone())
  }
  return answer
}

/** The page from the network; the kept one where that fails or takes too long. */
export async function servePage(build: string, request: Request): Promise<Response> {
  const fresh = fetch(request)
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PAGE_LIMIT_MS))
  const first = await Promise.race([fresh.catch(() => undefined), late])
  if (first && first.status < 500) return first
  const cache = await caches.open(`${PREFIX}${build}`)
  return (await cache.match(SHELL)) ?? fresh
}
