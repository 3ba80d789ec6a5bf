import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTask } from 'node:timers/promises'
import { SOCKET_PATH } from '#contract/events'
import { UPLOAD_TIMEOUT_MS } from '#contract/forms/document'
import type { RouteName } from '#contract/routes'
import type { Config } from '#runtime/config/config'

const TOO_SLOW = 'The request took too long'

const REASONS: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, TOO_SLOW],
}

/** Longest time without a byte in either direction while an answer is due or under way, ms. */
const UNREAD_MS = 120_000

/** How long a refused client may keep its end of the connection open, ms. */
const CLOSE_GRACE_MS = 2_000

export function endWithAnswer(socket: Duplex, status: number, message: string): void {
  // Node stops listening for errors of a socket that it hands over: a reset would end the process.
  socket.on('error', () => {})
  const body = JSON.stringify({ message })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n` +
      `Connection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  // Destroying immediately could cut the answer off; a client that never closes would keep the socket.
  setTimeout(() => socket.destroy(), CLOSE_GRACE_MS).unref()
}

/** Answers as JSON what Node refuses before Koa sees it. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const [status, message] = REASONS[error.code ?? ''] ?? [400, 'Bad request']
  endWithAnswer(socket, status, message)
}

function refuse(answer: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ message })
  const length = Buffer.byteLength(body)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': length }
  answer.writeHead(status, { ...headers, Connection: 'close' }).end(body)
}

/** Most parameters of a query: Koa reads them in quadratic time. */
const MAX_PARAMETERS = 100
/** Longest list of media types, languages or encodings: an unclosed quote takes quadratic time. */
const MAX_ACCEPT = 1_000

/** A longer list counts as none, which accepts everything. */
function dropLongLists({ headers }: IncomingMessage): void {
  for (const name of ['accept', 'accept-language', 'accept-encoding'] as const) {
    if ((headers[name]?.length ?? 0) > MAX_ACCEPT) delete headers[name]
  }
}

/** Whether a request has exactly one host, as HTTP/1.1 requires, and a readable target. */
function isAddressed({ httpVersion, rawHeaders, url = '' }: IncomingMessage): boolean {
  if (url.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS) return false
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== '1.0')) return false
  return url.startsWith('/') || url === '*' || (/^https?:\/\//i.test(url) && URL.canParse(url))
}

/** Requests of a connection that may wait for the answer to an earlier one. */
const MAX_WAITING = 10

/** One request of a connection at a time: Node never frees what pipelined ones have opened if the client leaves. */
function inTurn(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>()
  return (request, answer) => {
    const { socket } = request
    // The answer that is under way has the socket.
    if (answer.socket) return handle(request, answer)
    const before = waiting.get(socket) ?? 0
    if (before === MAX_WAITING) return void socket.destroy()
    waiting.set(socket, before + 1)
    answer.once('socket', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      handle(request, answer)
    })
  }
}

/** The only body that is not JSON. */
export const UPLOAD: RouteName = 'POST /api/user/kyc'

/** Node has one request timeout, that of an upload; `limitBodies` sets a shorter one for the others. */
export function httpServer(
  handle: RequestListener,
  { headersTimeoutMs }: Pick<Config, 'headersTimeoutMs'>,
): Server {
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: UPLOAD_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(2_000, Math.ceil(headersTimeoutMs / 5)),
      // Node would refuse without a body; `isAddressed` makes the check instead.
      requireHostHeader: false,
    },
    inTurn((request, answer) => {
      dropLongLists(request)
      if (isAddressed(request)) return handle(request, answer)
      refuse(answer, 400, 'Bad request')
    }),
  )
  server.keepAliveTimeout = 65_000
  // An answer that is not read would never be freed.
  server.timeout = UNREAD_MS
  server.on('clientError', answerBrokenRequest)
  server.on('checkExpectation', (_, answer) => refuse(answer, 417, 'Nothing can be expected here'))
  server.on('connect', (_, socket) => endWithAnswer(socket, 405, 'Method not allowed'))
  server.on('upgrade', ({ url = '' }, socket) => {
    if (!url.startsWith(`${SOCKET_PATH}/`)) endWithAnswer(socket, 400, 'Nothing to upgrade to here')
  })
  return server
}

/** An identity document may take as long as Node lets any request. */
const isUpload = ({ method, url, headers }: IncomingMessage) =>
  `${method} ${url}` === UPLOAD && /^multipart\//i.test(headers['content-type'] ?? '')

/** Call it after all other listeners: Socket.IO keeps requests of its path from those that were there before it. */
export function limitBodies(server: Server, limitMs: number): void {
  server.prependListener('request', (request: IncomingMessage, answer: ServerResponse) => {
    const { headers, socket } = request
    if (!headers['content-length'] && !headers['transfer-encoding']) return
    const cut = () => {
      if (request.complete) return
      if (answer.headersSent) socket.destroy()
      else endWithAnswer(socket, 408, TOO_SLOW)
    }
    const limit = () => {
      if (request.complete) return
      const timer = setTimeout(cut, limitMs)
      request.once('close', () => clearTimeout(timer))
    }
    // A refused upload has no more time to arrive than other bodies.
    if (isUpload(request)) answer.once('finish', limit)
    else limit()
  })
}

/** How long a closing server still answers on connections that were idle, ms. */
const IDLE_GRACE_MS = 500

/**
 * Stops listening; `close` follows when the last connection has ended. A proxy may not repeat a command that was
 * cut off, so its connections end with their next answer, and idle ones after a while. A busy process reads what
 * has arrived before it stops listening or ends what seems idle: the system would reset it.
 */
export async function stopListening(server: Server): Promise<void> {
  server.keepAliveTimeout = 1
  server.prependListener('request', (_, answer: ServerResponse) => {
    answer.shouldKeepAlive = false
  })
  const closeIdle = server.closeIdleConnections.bind(server)
  // Node calls it when the server closes.
  server.closeIdleConnections = () =>
    void setTimeout(() => arrivalsRead().then(closeIdle), IDLE_GRACE_MS)
  await arrivalsRead()
  server.close()
}

/** Immediates run after a poll for arrivals; the first one may follow a poll that had begun before. */
async function arrivalsRead(): Promise<void> {
  await nextTask()
  await nextTask()
}

/** Connections that may wait to be accepted: thousands of members reconnect at the same moment. */
const BACKLOG = 4_096

/** Resolves to the port, which the system chooses for 0. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const listening = () => resolve((server.address() as AddressInfo).port)
    server.once('error', reject).listen(port, host, BACKLOG, listening)
  })
}
