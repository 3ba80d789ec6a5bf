export type ServerKind = 'postgres' | 'valkey'

export interface ServerOptions {
  dataDir: string
  /** Data outlives a crash of the machine (Postgres) or of the server (Valkey). */
  durable: boolean
  /** Chosen at the first start, kept when the server is restarted. */
  port?: number | undefined
  password: string
  /** `name=value`, in addition to the defaults. */
  postgresSettings?: string[]
}

export interface RunningServer {
  url: string
  port: number
  pid: number
  /** Resolves when the server has ended for any reason. */
  ended: Promise<void>
  stop(): Promise<void>
}

export type ToHost = { start: ServerOptions } | { stop: true }

export type FromHost = { ready: { url: string; port: number; pid: number } } | { failed: string }
