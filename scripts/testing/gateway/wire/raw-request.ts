import { connect } from 'node:net'

/** Sends raw bytes and returns everything received until the connection closes. */
export function rawRequest(
  url: string,
  bytes: string | Buffer,
  disconnectAfterMs?: number,
): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes)
      if (disconnectAfterMs !== undefined) setTimeout(() => socket.destroy(), disconnectAfterMs)
    })
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
  })
}

/** Status and JSON body of a raw HTTP response. */
export function parsed(answer: string): { status: number; body: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}
