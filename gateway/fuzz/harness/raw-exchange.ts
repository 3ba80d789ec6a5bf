import { connect } from 'node:net'
import type { RawResponse } from './sender.ts'

/** The first response on a connection, how long it stayed open, and whether we had to close it. */
export type Exchange = RawResponse & { openMs: number; timedOut: boolean }

type ExchangeOptions = {
  /** Half-closes the connection after the bytes. */
  end?: boolean
  /** Sent every 100 ms until the connection closes. */
  drip?: string
  /** Closes the connection after this time. */
  timeoutMs?: number
}

function firstResponse(text: string): RawResponse {
  const [head = '', body = ''] = text.split(/\r\n\r\n([\s\S]*)/)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? ''
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  return { status, type, body: length === undefined ? body : body.slice(0, Number(length)) }
}

export function exchange(
  url: string,
  bytes: string | Buffer,
  { end = false, drip, timeoutMs = 5_000 }: ExchangeOptions = {},
): Promise<Exchange> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const start = performance.now()
    let text = ''
    let timedOut = false
    const options = { host: hostname, port: Number(port), allowHalfOpen: drip !== undefined }
    const socket = connect(options)
    // Before the connection stands, writes wait in their order: nothing is sent before these bytes.
    socket.write(bytes)
    if (end) socket.end()
    const dripping = drip && setInterval(() => socket.write(drip), 100)
    const timeout = setTimeout(() => {
      timedOut = true
      socket.destroy()
    }, timeoutMs)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    // The gateway may reset a rejected connection; only the response before it counts.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(timeout)
      if (dripping) clearInterval(dripping)
      resolve({ ...firstResponse(text), openMs: performance.now() - start, timedOut })
    })
  })
}
