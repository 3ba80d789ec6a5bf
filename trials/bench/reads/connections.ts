import { ORIGIN } from '#trials/bench/harness/product-env'
import type { LoadRequest } from '#trials/bench/load/load'

export type ReadPath = '/api/mining/status' | '/api/wallet'

/** One connection a member that reads one path. */
export function readers(path: ReadPath, cookies: string[]): LoadRequest[][] {
  return cookies.map((cookie) => [{ method: 'GET', path, headers: { cookie } }])
}

/** The same, each with the ETag of the state that it reads. */
export async function pollers(
  url: string,
  path: ReadPath,
  cookies: string[],
): Promise<LoadRequest[][]> {
  const poller = async (cookie: string): Promise<LoadRequest[]> => {
    const { headers } = await fetch(`${url}${path}`, { headers: { cookie } })
    const etag = headers.get('etag') ?? ''
    return [{ method: 'GET', path, headers: { cookie, 'if-none-match': etag } }]
  }
  return Promise.all(cookies.map(poller))
}

/** Connections that stop and start the sessions of their members in turn. */
export function commanders(connections: number, cookies: string[]): LoadRequest[][] {
  const headers = (cookie: string) => ({ cookie, origin: ORIGIN, 'sec-fetch-site': 'same-origin' })
  return Array.from({ length: connections }, (_, at) =>
    cookies
      .filter((_, member) => member % connections === at)
      .flatMap((cookie) => [
        { method: 'POST', path: '/api/mining/stop', headers: headers(cookie) },
        { method: 'POST', path: '/api/mining/start', headers: headers(cookie) },
      ]),
  )
}
