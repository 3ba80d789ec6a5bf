import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Queue } from 'bullmq'

/** Where the operators' port serves the board. */
export const BOARD_PATH = '/queues'
/** User name of the board; only the password is secret. */
export const BOARD_USER = 'ops'

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares digests, whose length and time of comparison reveal nothing. */
function credentialsCheck(password: string): (header: string | undefined) => boolean {
  const login = Buffer.from(`${BOARD_USER}:${password}`).toString('base64')
  const expected = digest(`Basic ${login}`)
  return (header = '') => timingSafeEqual(digest(header), expected)
}

/** Bull Board and Koa are loaded with the first page. */
async function openBoard(queues: Queue[]): Promise<RequestListener> {
  const [{ createBullBoard }, { BullMQAdapter }, { ReadOnlyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('./read-only-adapter.ts'),
  ])
  const serverAdapter = new ReadOnlyAdapter(BOARD_PATH)
  // Operators change jobs by `npm run ops`; the board does not offer it.
  const adapters = queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true }))
  createBullBoard({ queues: adapters, serverAdapter })
  return serverAdapter.callback()
}

/** The board of these queues behind a password (HTTP basic authentication). */
export function queueBoard(queues: Queue[], password: string): RequestListener {
  const isOperator = credentialsCheck(password)
  let opening: Promise<RequestListener> | undefined
  return async (request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
    if (!isOperator(request.headers.authorization)) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="queues"' }).end()
      return
    }
    opening ??= openBoard(queues)
    const board = await opening
    board(request, response)
  }
}
