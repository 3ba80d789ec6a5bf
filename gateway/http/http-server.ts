import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import { SOCKET_PATH } from '#contract/events'

const REASONS: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long'],
}

/** How long a client that was refused may keep its end open, ms. */
const HANG_UP_MS = 2_000

/** The last answer of a connection, in JSON as every other. */
function hangUp(socket: Duplex, status: number, message: string): void {
  const body = JSON.stringify({ message })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  // Closing at once could cut the answer off; one who never closes would keep the connection.
  setTimeout(() => socket.destroy(), HANG_UP_MS).unref()
}

/** What Node refuses before Koa sees it is answered as JSON too. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, message] = REASONS[error.code ?? ''] ?? [400, 'Bad request']
  hangUp(socket, status, message)
}

function refuse(answer: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ message })
  const length = Buffer.byteLength(body)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': length }
  answer.writeHead(status, { ...headers, Connection: 'close' }).end(body)
}

/** One host, as HTTP/1.1 wants it, and a target that can be read. */
function isAddressed({ httpVersion, rawHeaders, url = '' }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== '1.0')) return false
  return url.startsWith('/') || url === '*' || URL.canParse(url)
}

/** An HTTP server that waits 10 s for headers and 15 s for a body, checked each 2 s. */
export function httpServer(app: Koa): Server {
  const handle = app.callback()
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      connectionsCheckingInterval: 2_000,
      // Node would answer without a body; `isAddressed` asks for it instead.
      requireHostHeader: false,
    },
    (request, answer) =>
      isAddressed(request) ? handle(request, answer) : refuse(answer, 400, 'Bad request'),
  )
  server.keepAliveTimeout = 65_000
  server.on('clientError', answerBrokenRequest)
  server.on('checkExpectation', (_, answer) => refuse(answer, 417, 'Nothing can be expected here'))
  server.on('connect', (_, socket) => hangUp(socket, 405, 'Method not allowed'))
  server.on('upgrade', ({ url = '' }, socket) => {
    if (!url.startsWith(`${SOCKET_PATH}/`)) hangUp(socket, 400, 'Nothing to upgrade to here')
  })
  return server
}

/** Connections that may wait to be accepted: thousands of members come back at the same moment. */
const BACKLOG = 4_096

/** Listens; resolves to the port, which the system chooses for 0. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, BACKLOG, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}
