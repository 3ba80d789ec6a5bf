import { randomBytes } from 'node:crypto'
import http from 'node:http'
import type { Duplex } from 'node:stream'
import { SOCKET_PATH } from '#contract/events'

/** Frames of a server's text messages: neither masked nor in parts, as the gateways send them. */
function* messagesIn(buffer: Buffer): Generator<{ text: string; end: number; isText: boolean }> {
  for (let at = 0; at + 2 <= buffer.length; ) {
    const code = (buffer[at] ?? 0) & 0x0f
    let length = (buffer[at + 1] ?? 0) & 0x7f
    let start = at + 2
    if (length === 126 && start + 2 > buffer.length) return
    if (length === 126) length = buffer.readUInt16BE(start)
    if (start !== at + 2 || buffer[at + 1] === 126) start += 2
    if (start + length > buffer.length) return
    at = start + length
    yield { text: buffer.toString('utf8', start, at), end: at, isText: code === 1 }
  }
}

/** A client's short text message; the mask may be nothing, but must be there. */
function frame(text: string): Buffer {
  return Buffer.concat([
    Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]),
    Buffer.from(text, 'latin1'),
  ])
}

/** What happens to a socket: it stands, or it is over, whether it ever stood or not. */
export type LeanEvents = { connected(): void; over(): void }

/**
 * A Socket.IO connection over WebSocket alone that costs next to nothing, to open thousands of
 * them: it joins, answers pings, and reads nothing else.
 */
export function leanSocket(url: string, cookie: string, { connected, over }: LeanEvents): void {
  const request = http.get(`${url}${SOCKET_PATH}/?EIO=4&transport=websocket`, {
    agent: false,
    headers: {
      ...{ Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
      ...{ 'Sec-WebSocket-Key': randomBytes(16).toString('base64'), Origin: url, Cookie: cookie },
    },
  })
  let isOver = false
  const end = () => {
    if (!isOver) over()
    isOver = true
  }
  request.once('error', end)
  request.once('response', (response) => {
    response.resume()
    end()
  })
  request.once('upgrade', (_response, socket: Duplex, head: Buffer) => {
    let unread = head
    const read = (chunk: Buffer) => {
      unread = unread.length > 0 ? Buffer.concat([unread, chunk]) : chunk
      let done = 0
      for (const { text, end: behind, isText } of messagesIn(unread)) {
        done = behind
        if (!isText) socket.destroy()
        else if (text.startsWith('0')) socket.write(frame('40'))
        else if (text === '2') socket.write(frame('3'))
        else if (text.startsWith('40')) connected()
        else if (text.startsWith('44')) socket.destroy()
      }
      unread = unread.subarray(done)
    }
    socket.on('data', read)
    socket.once('error', end)
    socket.once('close', end)
    read(Buffer.alloc(0))
  })
}
