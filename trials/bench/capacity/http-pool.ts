import { connect, type Socket } from 'node:net'

/** What is read of an answer. */
export type PoolAnswer = { status: number; etag: string | undefined; body: string }

type Pending = { text: string; resolve(answer: PoolAnswer): void; reject(error: Error): void }
type Connection = { socket: Socket; unread: string; pending: Pending | undefined }

const HEAD = /^HTTP\/1\.1 (\d{3})/
const ETAG = /\r\netag: (.*)\r\n/i
const LENGTH = /\r\ncontent-length: (\d+)/i

/** The first complete answer of a text in which each character is one byte. */
function answerIn(text: string): PoolAnswer | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = text.slice(0, end + 2)
  const length = Number(LENGTH.exec(head)?.[1] ?? 0)
  if (text.length < end + 4 + length) return undefined
  const status = Number(HEAD.exec(head)?.[1] ?? 0)
  return { status, etag: ETAG.exec(head)?.[1], body: text.slice(end + 4) }
}

/**
 * Keep-alive connections to one gateway, as a reverse proxy holds them: one request at a time on each;
 * further requests wait. It costs less CPU than `node:http`, which the measured product needs.
 */
export class HttpPool {
  private readonly idle: Connection[] = []
  private readonly waiting: Pending[] = []
  private open = 0

  constructor(
    private readonly port: number,
    private readonly size: number,
  ) {}

  /** Sends the text of a request. Rejects if its connection breaks. */
  send(text: string): Promise<PoolAnswer> {
    return new Promise((resolve, reject) => {
      const pending = { text, resolve, reject }
      const connection = this.idle.pop() ?? (this.open < this.size ? this.connect() : undefined)
      if (connection) this.start(connection, pending)
      else this.waiting.push(pending)
    })
  }

  private start(connection: Connection, pending: Pending): void {
    connection.pending = pending
    connection.socket.write(pending.text, 'latin1')
  }

  private connect(): Connection {
    this.open++
    const socket = connect(this.port, '127.0.0.1').setNoDelay().setEncoding('latin1')
    const connection: Connection = { socket, unread: '', pending: undefined }
    socket.on('data', (chunk) => this.read(connection, String(chunk)))
    socket.on('error', () => {})
    socket.once('close', () => this.closed(connection))
    return connection
  }

  private read(connection: Connection, chunk: string): void {
    connection.unread += chunk
    const answer = answerIn(connection.unread)
    if (!answer) return
    const { pending } = connection
    connection.unread = ''
    connection.pending = undefined
    const next = this.waiting.shift()
    if (next) this.start(connection, next)
    else this.idle.push(connection)
    pending?.resolve(answer)
  }

  /** The gateway closes connections that are idle for some seconds. */
  private closed(connection: Connection): void {
    this.open--
    const at = this.idle.indexOf(connection)
    if (at >= 0) this.idle.splice(at, 1)
    connection.pending?.reject(new Error('the connection was closed'))
    const next = this.waiting.shift()
    if (next) this.start(this.connect(), next)
  }
}
