import { vi } from 'vitest'
import type { RouteName } from '#contract/routes'

export type Sent = { route: string; url: URL; init: RequestInit; headers: Headers }

type Handler = (sent: Sent) => Response | Promise<Response>

export function json(body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status: 200, headers })
}

export function refusal(status: number, message: string, code?: string): Response {
  return new Response(JSON.stringify({ message, code }), { status })
}

/** What `fetch` throws when nobody answers. */
export function lost(): never {
  throw new TypeError('Failed to fetch')
}

/**
 * Stands where the network begins: answers by route name and keeps what was sent. A route without
 * a handler answers 404.
 */
export function serve(handlers: Partial<Record<RouteName, Handler>>) {
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://localhost')
    const route = `${init.method ?? 'GET'} ${url.pathname}`
    const request = { route, url, init, headers: new Headers(init.headers) }
    sent.push(request)
    const handler = (handlers as Partial<Record<string, Handler>>)[route]
    return handler ? handler(request) : refusal(404, 'Not found')
  })
  return { sent, count: (route: RouteName) => sent.filter((one) => one.route === route).length }
}
