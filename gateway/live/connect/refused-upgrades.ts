import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { endWithAnswer } from '#gateway/http/server/http-server'
import type { LiveServer } from '#gateway/live/rooms'

/** `code` 4 of Engine.IO: `allowRequest` refused, because of the origin. */
const FORBIDDEN = 4

type Refusal = { code: number; message: string; req: IncomingMessage & Stage }
/** Engine.IO sets `res` on a plain request and `websocket` on one that is upgraded already. */
type Stage = { res?: unknown; websocket?: unknown }
type WebSocketServer = {
  on(event: 'wsClientError', listener: (error: Error, socket: Duplex) => void): void
}

/** Answers a refused upgrade in JSON, as other refusals; Engine.IO and ws would answer in text. */
export function answerRefusedUpgrades(io: LiveServer, server: HttpServer): void {
  // Engine.IO writes its own answer after this event, unless the connection has ended.
  io.engine.on('connection_error', ({ code, message, req }: Refusal) => {
    if (req.res || req.websocket) return
    endWithAnswer(req.socket, code === FORBIDDEN ? 403 : 400, message)
  })
  // Engine.IO makes its WebSocket server when the HTTP server starts to listen.
  server.on('listening', () => {
    const { ws } = io.engine as unknown as { ws: WebSocketServer }
    ws.on('wsClientError', (error, socket) => endWithAnswer(socket, 400, error.message))
  })
}
