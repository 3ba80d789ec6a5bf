/** The kinds of embedded servers; each runs in a process of its own. */
export type ServerKind = 'postgres' | 'valkey'

/** What a server is started with. */
export interface ServerOptions {
  dataDir: string
  /** Whether data must outlive a crash of the machine (Postgres) or of the server (Valkey). */
  durable: boolean
  /** The port to listen on: chosen at the first start, kept when the server is restarted. */
  port?: number | undefined
  password: string
}

/** A server that answers. */
export interface RunningServer {
  url: string
  port: number
  pid: number
  /** Resolves when the server has ended, wanted or not. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** What the owner tells a server's host process. */
export type ToHost = { start: ServerOptions } | { stop: true }

/** What the host process answers. */
export type FromHost = { ready: { url: string; port: number; pid: number } } | { failed: string }
