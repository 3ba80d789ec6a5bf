import { Agent, request } from 'node:http'
import { type BadRequest, OWN } from './case.ts'

/** What came back; status 0 where nothing did, and the body says why. */
export type Answer = { status: number; type: string; body: string }

/** A request that is not answered in that time hangs, ms. */
const PATIENCE_MS = 8_000
/** Connections at once: what a browser's worth of visitors would have. */
const CONNECTIONS = 12

let addresses = 0
/** Another address for each request, so that no limit of one address hides an answer. */
function nextAddress(): string {
  addresses += 1
  return `198.18.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** Sends requests as they are to one gateway, over a few connections that are kept. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

  constructor(private readonly url: string) {}

  send({ method, path, headers = {}, body }: BadRequest, cookie?: string): Promise<Answer> {
    const all = { Origin: this.url, 'X-Forwarded-For': nextAddress(), Cookie: cookie, ...headers }
    const sent = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, this.own(value)] as const],
    )
    return new Promise((resolve) => {
      const failed = (reason: string) => resolve({ status: 0, type: '', body: reason })
      const { hostname, port } = new URL(this.url)
      const asked = request(
        { hostname, port, path, method, agent: this.agent, headers: Object.fromEntries(sent) },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.once('error', (error) => failed(`cut off: ${error.message}`))
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'] ?? '',
              body: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error('hangs')))
      asked.once('error', (error) => failed(error.message))
      if (body !== undefined && !asked.hasHeader('Transfer-Encoding')) {
        asked.setHeader('Content-Length', Buffer.byteLength(body))
      }
      asked.end(body)
    })
  }

  private own(value: string | string[]): string | string[] {
    if (typeof value !== 'string') return value
    return value.replaceAll(OWN, this.url)
  }

  close(): void {
    this.agent.destroy()
  }
}
