import { EventEmitter } from 'node:events'
import type { Client, QueryConfig, QueryResult } from 'pg'

/** Statements that Postgres plans; the others change settings, transactions or the schema. */
const IS_PLANNED = /^\s*(select|with|insert|update|delete)\b/i

/** The name of each text, the same on all backends. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? `simulation-${names.size}`
  names.set(text, name)
  return name
}

/** A prepared statement, so that a backend parses and plans each text once. A name of the product stays. */
function namedQuery(query: QueryConfig | string): QueryConfig {
  const config = typeof query === 'string' ? { text: query } : query
  if (config.name || !IS_PLANNED.test(config.text)) return config
  return { ...config, name: nameOf(config.text) }
}

type Callback = (error: Error | null, result?: QueryResult) => void
/** A query of a caller who waits; it is sent when Postgres has answered the one before it. */
type Sent = { callback: Callback; isAnswered: Promise<void> }

/** The driver's message. */
const lost = () => new Error('Connection terminated unexpectedly')

/** The backend outlives it: to the process, a connection that was cut is one that broke. */
export class SimulatedConnection {
  /** Knex removes a connection from its pool that has this. */
  __knex__disposed: Error | undefined
  /** Called after each answer of Postgres. */
  onAnswer: () => void = () => {}
  /** For `connectionGuard`, whose cases are not simulated. */
  readonly connection = Object.assign(new EventEmitter(), {
    stream: { setTimeout() {}, destroy() {}, cork() {}, uncork() {} },
  })
  private readonly sent = new Set<Sent>()
  /** Postgres has answered the last query, or it was not sent any more. */
  private isLastAnswered = Promise.resolve()

  constructor(readonly backend: Client) {}

  query(query: QueryConfig | string): Promise<QueryResult>
  query(query: QueryConfig | string, callback: Callback): void
  query(query: QueryConfig | string, callback?: Callback): Promise<QueryResult> | undefined {
    if (callback) {
      this.send(query, callback)
      return undefined
    }
    return new Promise((resolve, reject) => {
      this.send(query, (error, result) => (result ? resolve(result) : reject(error)))
    })
  }

  get isCut(): boolean {
    return this.__knex__disposed !== undefined
  }

  /** Fails everything that is under way and everything to come; returns when Postgres has answered. */
  async cut(): Promise<void> {
    this.__knex__disposed = lost()
    const sent = [...this.sent]
    this.sent.clear()
    for (const { callback } of sent) process.nextTick(callback, lost())
    await Promise.all(sent.map(({ isAnswered }) => isAnswered))
  }

  private send(query: QueryConfig | string, callback: Callback): void {
    if (this.isCut) {
      process.nextTick(callback, lost())
      return
    }
    const sent: Sent = {
      callback,
      isAnswered: this.isLastAnswered.then(() => this.ask(query, sent)),
    }
    this.isLastAnswered = sent.isAnswered
    this.sent.add(sent)
  }

  /** If queries behind a cut reached Postgres, a COMMIT would take effect in a process that died before it. */
  private ask(query: QueryConfig | string, sent: Sent): Promise<void> {
    if (!this.sent.has(sent)) return Promise.resolve()
    return new Promise((resolve) => {
      this.backend.query(namedQuery(query), (error: Error | null, result: QueryResult) => {
        resolve()
        if (!this.sent.delete(sent)) return
        sent.callback(error, result)
        this.onAnswer()
      })
    })
  }
}
