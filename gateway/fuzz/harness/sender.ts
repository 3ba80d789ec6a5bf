import { Agent, request } from 'node:http'
import { type FuzzCase, OWN_ORIGIN } from '#gateway/fuzz/cases/case'

/** A response; without one the status is 0 and the body names the reason. */
export type RawResponse = { status: number; type: string; body: string }

const TIMEOUT_MS = 8_000
const CONNECTIONS = 12

let addresses = 0
/** A new client IP for each request, so that no limit per IP hides a response. */
function nextIp(): string {
  addresses += 1
  return `198.18.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** Sends cases without normalisation to one gateway over keep-alive connections. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

  constructor(private readonly url: string) {}

  send({ method, path, headers = {}, body }: FuzzCase, cookie?: string): Promise<RawResponse> {
    const all = { Origin: this.url, 'X-Forwarded-For': nextIp(), Cookie: cookie, ...headers }
    const sent = Object.entries(all).flatMap(([name, value]) => {
      const filled = typeof value === 'string' ? value.replaceAll(OWN_ORIGIN, this.url) : value
      return filled === undefined ? [] : [[name, filled] as const]
    })
    return new Promise((resolve) => {
      const failed = (reason: string) => resolve({ status: 0, type: '', body: reason })
      const { hostname, port } = new URL(this.url)
      const outgoing = request(
        { hostname, port, path, method, agent: this.agent, headers: Object.fromEntries(sent) },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.once('error', (error) => failed(`connection lost: ${error.message}`))
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              type: response.headers['content-type'] ?? '',
              body: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      outgoing.setTimeout(TIMEOUT_MS, () => outgoing.destroy(new Error('timed out')))
      outgoing.once('error', (error) => failed(error.message))
      if (body !== undefined && !outgoing.hasHeader('Transfer-Encoding')) {
        outgoing.setHeader('Content-Length', Buffer.byteLength(body))
      }
      outgoing.end(body)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}
