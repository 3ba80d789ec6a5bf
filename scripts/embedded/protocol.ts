/** The embedded servers; each has its own host process. */
export type ServerKind = 'postgres' | 'valkey'

/** Options of a server. */
export interface ServerOptions {
  dataDir: string
  /** Whether data must outlive a crash of the machine (Postgres) or of the server (Valkey). */
  durable: boolean
  /** The port to listen on: chosen at the first start, kept when the server is restarted. */
  port?: number | undefined
  password: string
  /** Settings of Postgres, `name=value`, in addition to its defaults. */
  postgresSettings?: string[]
}

/** A server that accepts connections. */
export interface RunningServer {
  url: string
  port: number
  pid: number
  /** Resolves when the server has ended for any reason. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Messages from the owner to a host process. */
export type ToHost = { start: ServerOptions } | { stop: true }

/** Messages from a host process to its owner. */
export type FromHost = { ready: { url: string; port: number; pid: number } } | { failed: string }
