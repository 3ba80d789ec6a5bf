import { connect } from 'node:net'

/** Sends bytes as they are and returns all that comes back until the connection is closed. */
export function rawRequest(
  url: string,
  bytes: string | Buffer,
  hangUpAfterMs?: number,
): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes)
      if (hangUpAfterMs !== undefined) setTimeout(() => socket.destroy(), hangUpAfterMs)
    })
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
  })
}

/** Status and JSON body of such an answer. */
export function parsed(answer: string): { status: number; body: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}
