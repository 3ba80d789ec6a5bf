import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  forgetOldShells,
  keepShell,
  kindOf,
  PAGE_LIMIT_MS,
  serveAsset,
  servePage,
} from './shell.ts'

const ORIGIN = 'https://tesp.example'
const OUR_PAGE = '<!doctype html><div id="root"></div>'

const addressOf = (asked: RequestInfo | URL) =>
  new URL(asked instanceof Request ? asked.url : String(asked), ORIGIN).pathname

/** The caches of a browser, in the order in which they were opened. */
class FakeCaches {
  readonly kept = new Map<string, Map<string, Response>>()
  async open(name: string) {
    const files = this.kept.get(name) ?? new Map<string, Response>()
    this.kept.set(name, files)
    return {
      addAll: async (paths: string[]) => {
        for (const path of paths) files.set(path, await fetch(path))
      },
      put: async (asked: RequestInfo, answer: Response) => void files.set(addressOf(asked), answer),
      match: async (asked: RequestInfo) => files.get(addressOf(asked))?.clone(),
    }
  }
  async match(asked: RequestInfo) {
    return [...this.kept.values()].map((files) => files.get(addressOf(asked))).find(Boolean)
  }
  keys = async () => [...this.kept.keys()]
  delete = async (name: string) => this.kept.delete(name)
}

let caches: FakeCaches
const answer = (serve: (path: string) => Response | Promise<Response>) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async (asked: RequestInfo) => serve(addressOf(asked))),
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

describe('what it touches', () => {
  const kind = (path: string, more: { method?: string; mode?: RequestMode } = {}) =>
    kindOf({ method: 'GET', mode: 'cors', url: `${ORIGIN}${path}`, ...more }, ORIGIN)

  it('is assets and pages', () => {
    expect(kind('/assets/index-abc.js')).toBe('asset')
    expect(kind('/wallet', { mode: 'navigate' })).toBe('page')
    expect(kind('/auth?ref=TESPAB12CD', { mode: 'navigate' })).toBe('page')
  })

  it.each(['/api/wallet', '/socket.io/?EIO=4', '/dev/outbox', '/healthz', '/metrics'])(
    'is never %s',
    (path) => {
      expect(kind(path)).toBeNull()
      expect(kind(path, { mode: 'navigate' })).toBeNull()
    },
  )

  it('is nothing else', () => {
    expect(kind('/sw.js')).toBeNull()
    expect(kind('/wallet')).toBeNull()
    expect(kind('/wallet', { method: 'POST', mode: 'navigate' })).toBeNull()
    expect(
      kindOf({ method: 'GET', mode: 'navigate', url: 'https://other.example/' }, ORIGIN),
    ).toBeNull()
  })
})

describe('pages', () => {
  beforeEach(async () => {
    answer(() => new Response(OUR_PAGE))
    await keepShell('one', ['/assets/a.js'])
  })

  it('come from the network', async () => {
    answer(() => new Response('newer'))
    expect(await (await servePage('one', page())).text()).toBe('newer')
  })

  it('are the kept one where there is no network, or a broken server', async () => {
    answer(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(await (await servePage('one', page())).text()).toBe(OUR_PAGE)
    answer(() => new Response('Bad gateway', { status: 502 }))
    expect(await (await servePage('one', page())).text()).toBe(OUR_PAGE)
  })

  it('are the kept one where the network takes longer than 3 seconds', async () => {
    vi.useFakeTimers()
    answer(() => new Promise(() => {}))
    const shown = servePage('one', page())
    await vi.advanceTimersByTimeAsync(PAGE_LIMIT_MS)
    expect(await (await shown).text()).toBe(OUR_PAGE)
  })

  it('are not kept from a captive portal', async () => {
    answer(() => new Response('<h1>Hotel Wi-Fi</h1>'))
    await expect(keepShell('two', [])).rejects.toThrow('Not our page')
    expect(await caches.keys()).toEqual(['shell-one'])
  })
})

describe('assets', () => {
  it('come from the network once', async () => {
    answer(() => new Response('code'))
    const asset = () => new Request(`${ORIGIN}/assets/b.js`)
    await serveAsset('one', asset())
    await serveAsset('one', asset())
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  it('are not kept where they do not exist', async () => {
    answer(() => new Response('', { status: 404 }))
    const asset = () => new Request(`${ORIGIN}/assets/gone.js`)
    expect((await serveAsset('one', asset())).status).toBe(404)
    await serveAsset('one', asset())
    expect(fetch).toHaveBeenCalledTimes(2)
  })

  it('of the build before stay, for tabs that run it', async () => {
    for (const name of ['shell-one', 'shell-two', 'shell-three', 'other']) await caches.open(name)
    await forgetOldShells('three')
    expect(await caches.keys()).toEqual(['shell-two', 'shell-three', 'other'])
  })
})
