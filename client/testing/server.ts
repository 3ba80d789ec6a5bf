import { vi } from 'vitest'
import { memberInCookie } from '#client/data/member-data.ts'
import { MEMBER_COOKIE } from '#contract/headers'
import type { RouteName } from '#contract/routes'

export type Sent = {
  /** The name of the route in `handlers`, or method and path if none matches. */
  route: string
  /** The decoded path, with parameters filled in. */
  path: string
  url: URL
  init: RequestInit
  headers: Headers
  /** The parsed JSON body; undefined without one. */
  body: unknown
}

/** A fixed answer, or a function that answers. */
type Handler = Response | ((sent: Sent) => Response | Promise<Response>)
export type Handlers = Partial<Record<RouteName, Handler>>

export function json(body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status: 200, headers })
}

export function refusal(
  status: number,
  message: string,
  code?: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify({ message, code }), { status, headers })
}

/** Fails like `fetch` without a network. */
export function lost(): never {
  throw new TypeError('Failed to fetch')
}

const patternOf = (route: string) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`)

/** Sets the marker cookie, as the server does at sign-in; undefined removes it. */
export function setMemberCookie(memberId: number | undefined): void {
  const value = memberId ?? '; Max-Age=0'
  // biome-ignore lint/suspicious/noDocumentCookie: happy-dom has no Cookie Store API.
  document.cookie = `${MEMBER_COOKIE}=${value}; Path=/`
}

/**
 * Replaces `fetch`: answers by route name and records the requests. A route without a handler
 * answers 404.
 */
export function serve(handlers: Handlers) {
  const sent: Sent[] = []
  // A page asks who is signed in only where the marker cookie says that somebody may be.
  if (handlers['GET /api/user'] && memberInCookie() === undefined) setMemberCookie(7)
  vi.stubGlobal('fetch', async (target: string, init: RequestInit = {}) => {
    const url = new URL(target, 'http://localhost')
    const requested = `${init.method ?? 'GET'} ${url.pathname}`
    const found = Object.entries(handlers).find(([route]) => patternOf(route).test(requested))
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const request: Sent = {
      route: found?.[0] ?? requested,
      path: decodeURIComponent(url.pathname),
      url,
      init,
      headers: new Headers(init.headers),
      body,
    }
    sent.push(request)
    const handler = found?.[1]
    if (handler instanceof Response) return handler.clone()
    return handler ? handler(request) : refusal(404, 'Not found')
  })
  return { sent, count: (route: RouteName) => sent.filter((one) => one.route === route).length }
}
