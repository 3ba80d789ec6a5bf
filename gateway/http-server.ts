import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type Koa from 'koa'

const REASONS: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long'],
}

/** What Node refuses before Koa sees it is answered as JSON too. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, message] = REASONS[error.code ?? ''] ?? [400, 'Bad request']
  const body = JSON.stringify({ message })
  socket.end(
    `HTTP/1.1 ${status} ${message}\r\nContent-Type: application/json\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** An HTTP server that waits 10 s for headers and 15 s for a body, checked each 2 s. */
export function httpServer(app: Koa): Server {
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 2_000 },
    app.callback(),
  )
  server.keepAliveTimeout = 65_000
  return server.on('clientError', answerBrokenRequest)
}

/** Listens; resolves to the port, which the system chooses for 0. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}
