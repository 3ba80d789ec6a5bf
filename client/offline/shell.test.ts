import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '#client/testing/eventually.ts'
import { INITIAL_DATA_ID } from '#contract/initial-data'
import {
  cacheShell,
  deleteOldShells,
  kindOf,
  PAGE_LIMIT_MS,
  serveAsset,
  servePage,
} from './shell.ts'

const ORIGIN = 'https://tesp.example'
const pageOf = (entry: string) =>
  `<!doctype html><script type="module" crossorigin src="${entry}"></script><div id="root"></div>`
const OUR_PAGE = pageOf('/assets/a.js')

const pathOf = (request: RequestInfo | URL) =>
  new URL(request instanceof Request ? request.url : String(request), ORIGIN).pathname

/** The caches of a browser, in the order of their creation. */
class FakeCaches {
  readonly stored = new Map<string, Map<string, Response>>()
  async open(name: string) {
    const files = this.stored.get(name) ?? new Map<string, Response>()
    this.stored.set(name, files)
    return {
      put: async (request: RequestInfo, response: Response) =>
        void files.set(pathOf(request), response),
      match: async (request: RequestInfo) => files.get(pathOf(request))?.clone(),
    }
  }
  async match(request: RequestInfo) {
    return [...this.stored.values()].map((files) => files.get(pathOf(request))).find(Boolean)
  }
  keys = async () => [...this.stored.keys()]
  delete = async (name: string) => this.stored.delete(name)
}

let caches: FakeCaches
const serve = (answer: (path: string) => Response | Promise<Response>) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async (request: RequestInfo) => answer(pathOf(request))),
  )
const page = () => new Request(`${ORIGIN}/wallet`)

beforeEach(() => {
  caches = new FakeCaches()
  vi.stubGlobal('caches', caches)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the requests that the worker serves', () => {
  const kind = (path: string, more: { method?: string; mode?: RequestMode } = {}) =>
    kindOf({ method: 'GET', mode: 'cors', url: `${ORIGIN}${path}`, ...more }, ORIGIN)

  it('the worker serves assets and pages', () => {
    expect(kind('/assets/index-abc.js')).toBe('asset')
    expect(kind('/recover.js')).toBe('asset')
    expect(kind('/wallet', { mode: 'navigate' })).toBe('page')
    expect(kind('/auth?ref=TESPAB12CD', { mode: 'navigate' })).toBe('page')
  })

  it.each([
    '/api/wallet',
    '/socket.io/?EIO=4',
    '/dev/outbox',
    '/healthz',
    '/metrics',
    '/status',
    '/unsubscribe',
  ])('the worker never serves %s', (path) => {
    expect(kind(path)).toBeNull()
    expect(kind(path, { mode: 'navigate' })).toBeNull()
  })

  it('the worker ignores non-GET, cross-origin and other requests', () => {
    expect(kind('/sw.js')).toBeNull()
    expect(kind('/wallet')).toBeNull()
    expect(kind('/wallet', { method: 'POST', mode: 'navigate' })).toBeNull()
    expect(
      kindOf({ method: 'GET', mode: 'navigate', url: 'https://other.example/' }, ORIGIN),
    ).toBeNull()
  })
})

describe('cached pages', () => {
  beforeEach(async () => {
    serve(() => new Response(OUR_PAGE))
    await cacheShell('one', ['/assets/a.js'])
  })

  it('a cache that fails keeps neither files nor pages from a member', async () => {
    vi.useFakeTimers()
    const broken = async () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
    caches.match = broken
    caches.open = async (name) => ({
      ...(await FakeCaches.prototype.open.call(caches, name)),
      put: broken,
    })
    serve(() => new Response('code'))
    const file = new Request(`${ORIGIN}/assets/b.js`)
    expect(await (await serveAsset('one', file)).text()).toBe('code')
    caches.open = broken
    serve(async () => {
      await new Promise((resolve) => setTimeout(resolve, PAGE_LIMIT_MS + 1))
      return new Response('slow')
    })
    const shown = servePage('one', page())
    await vi.advanceTimersByTimeAsync(PAGE_LIMIT_MS + 1)
    expect(await (await shown).text()).toBe('slow')
  })

  it('a page that comes in place of a file is not stored as the file', async () => {
    serve(() => new Response('<h1>Hotel Wi-Fi</h1>', { headers: { 'Content-Type': 'text/html' } }))
    const file = () => new Request(`${ORIGIN}/assets/b.js`)
    await serveAsset('one', file())
    serve(() => new Response('code'))
    expect(await (await serveAsset('one', file())).text()).toBe('code')
  })

  it('pages come from the network', async () => {
    serve(() => new Response('newer'))
    expect(await (await servePage('one', page())).text()).toBe('newer')
  })

  it('pages come from the cache without a network or with a failing server', async () => {
    serve(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await (await servePage('one', page())).text()).toBe(OUR_PAGE)
    serve(() => new Response('Bad gateway', { status: 502 }))
    expect(await (await servePage('one', page())).text()).toBe(OUR_PAGE)
  })

  it('pages come from the cache when the network does not answer at once', async () => {
    vi.useFakeTimers()
    serve(() => new Promise(() => {}))
    const shown = servePage('one', page())
    await vi.advanceTimersByTimeAsync(PAGE_LIMIT_MS)
    expect(await (await shown).text()).toBe(OUR_PAGE)
  })

  it('the cached page is requested without the cookies of a member', () => {
    const options = expect.objectContaining({ cache: 'no-cache', credentials: 'omit' })
    expect(fetch).toHaveBeenCalledWith('/', options)
  })

  it('a page with data of a member is not cached', async () => {
    serve(() => new Response(`${OUR_PAGE}<script id="${INITIAL_DATA_ID}">{}</script>`))
    await expect(cacheShell('two', [])).rejects.toThrow(
      'The server did not answer with the app page',
    )
    expect(await caches.keys()).toEqual(['shell-one'])
  })

  it('the page of another release is not cached', async () => {
    serve(() => new Response(pageOf('/assets/b.js')))
    await expect(cacheShell('two', ['/assets/a.js'])).rejects.toThrow(
      'The server answered with the page of another release',
    )
    expect(await caches.keys()).toEqual(['shell-one'])
  })

  it('a page of the cache loads all its code from there', async () => {
    serve(() => Promise.reject(new TypeError('Failed to fetch')))
    for (const path of ['/assets/a.js', '/recover.js'])
      expect((await serveAsset('one', new Request(`${ORIGIN}${path}`))).ok).toBe(true)
  })

  it('a network that dies holds three connections, and for a minute', async () => {
    const limits: AbortController[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      expect(ms).toBe(60_000)
      const limit = new AbortController()
      limits.push(limit)
      return limit.signal
    })
    const page = new Response('<div id="root"></div><script type="module" src="/assets/1.js">')
    const fetching = vi.fn((url: string, { signal }: RequestInit) =>
      url === '/'
        ? Promise.resolve(page)
        : new Promise<Response>((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason))
          }),
    )
    vi.stubGlobal('fetch', fetching)
    const assets = Array.from({ length: 20 }, (_, n) => `/assets/${n}.js`)
    const installed = cacheShell('two', assets).catch(() => 'failed')
    await eventually(() => expect(fetching).toHaveBeenCalledTimes(1 + 3))
    for (const limit of limits) limit.abort()
    expect(await installed).toBe('failed')
    expect(fetching).toHaveBeenCalledTimes(1 + 3)
    vi.restoreAllMocks()
  })

  it('the page of a captive portal is not cached', async () => {
    serve(() => new Response('<h1>Hotel Wi-Fi</h1>'))
    await expect(cacheShell('two', [])).rejects.toThrow(
      'The server did not answer with the app page',
    )
    expect(await caches.keys()).toEqual(['shell-one'])
  })
})

describe('cached assets', () => {
  it('assets come from the network once', async () => {
    serve(() => new Response('code'))
    const asset = () => new Request(`${ORIGIN}/assets/b.js`)
    await serveAsset('one', asset())
    await serveAsset('one', asset())
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  it('missing assets are not cached', async () => {
    serve(() => new Response('', { status: 404 }))
    const asset = () => new Request(`${ORIGIN}/assets/gone.js`)
    expect((await serveAsset('one', asset())).status).toBe(404)
    await serveAsset('one', asset())
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  it('assets of the build that open tabs run stay, also if one that waited is replaced', async () => {
    for (const name of ['one', 'two', 'three', 'four']) await caches.open(`shell-${name}`)
    await caches.open('other')
    await deleteOldShells('four')
    expect(await caches.keys()).toEqual(['shell-two', 'shell-three', 'shell-four', 'other'])
  })
})
