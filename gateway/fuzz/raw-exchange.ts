import { connect } from 'node:net'
import type { Answer } from './sender.ts'

/** What a connection of one's own brought: the first answer, and how long it stayed open. */
export type Exchange = Answer & { openMs: number; hung: boolean }

export type ExchangeOptions = {
  /** Ends our half behind the bytes. */
  end?: boolean
  /** Goes on sending this each 100 ms, whatever is answered. */
  drip?: string
  /** Gives up after that time. */
  patienceMs?: number
}

function firstAnswer(text: string): Answer {
  const [head = '', body = ''] = text.split(/\r\n\r\n([\s\S]*)/)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0)
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? ''
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  return { status, type, body: length === undefined ? body : body.slice(0, Number(length)) }
}

/** Sends bytes as they are over a connection of their own, and stays until it is closed. */
export function exchange(
  url: string,
  bytes: string | Buffer,
  { end = false, drip, patienceMs = 5_000 }: ExchangeOptions = {},
): Promise<Exchange> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const start = performance.now()
    let text = ''
    let hung = false
    const options = { host: hostname, port: Number(port), allowHalfOpen: drip !== undefined }
    const socket = connect(options, () => {
      socket.write(bytes)
      if (end) socket.end()
    })
    const dripping = drip && setInterval(() => socket.write(drip), 100)
    const patience = setTimeout(() => {
      hung = true
      socket.destroy()
    }, patienceMs)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    // A refused client may be cut off: what counts is what it was told before.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(patience)
      if (dripping) clearInterval(dripping)
      resolve({ ...firstAnswer(text), openMs: performance.now() - start, hung })
    })
  })
}
