import { vi } from 'vitest'
import type { RouteName } from '#contract/routes'
import type { User } from '#rules/snapshots'

/** What came in, with the path's last part where the route has a parameter. */
export type Request = { route: string; path: string; body: unknown }

type Reply = { status?: number; body: unknown; headers?: Record<string, string> } | 'lost'

/** Answers of a server by the route's name; `lost` is a request that nobody answers. */
export type Replies = Partial<Record<RouteName, Reply | ((request: Request) => Reply)>>

export const member: User = {
  id: 1,
  username: 'anh',
  email: 'anh@example.com',
  fullName: null,
  phone: null,
  avatar: null,
  referralCode: null,
  kycStatus: 'unverified',
  kycDocumentType: null,
  kycDocumentUrl: null,
}

const patternOf = (route: string) => new RegExp(`^${route.replace(/:\w+/, '[^/]+')}$`)

/** Puts a server in the place of the network; what is not in `replies` is answered with 404. */
export function serve(replies: Replies): Request[] {
  const requests: Request[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const path = decodeURIComponent(String(address).split('?')[0] ?? '')
    const called = `${init.method ?? 'GET'} ${path}`
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const found = Object.entries(replies).find(([route]) => patternOf(route).test(called))
    const request = { route: found?.[0] ?? called, path, body }
    requests.push(request)
    const reply = typeof found?.[1] === 'function' ? found[1](request) : found?.[1]
    if (reply === 'lost') throw new TypeError('fetch failed')
    const missing = { status: 404, body: { message: 'Not found' }, headers: {} }
    const { status = 200, body: answer, headers = {} } = reply ?? missing
    return new Response(JSON.stringify(answer), { status, headers })
  })
  return requests
}

/** A refusal with the server's words. */
export const refuse = (
  status: number,
  message: string,
  code?: string,
  headers: Record<string, string> = {},
): Reply => ({ status, body: { message, code }, headers })
