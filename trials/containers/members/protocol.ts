/** What the process of the members gets from its environment, as JSON. */
export type MembersOptions = {
  origin: string
  databaseUrl: string
  mailPort: number
  ports: { catcher: number }
  /** Whether mails are read from the mail catcher. */
  catchesMail: boolean
  /** Settings of the product, for reading its database. */
  settings: Record<string, string>
}

/** What members saw during one step. */
export type StepFigures = {
  /** Commands and reads that ended. */
  requests: number
  /** Requests that the client sent again, by what it got instead of an answer. */
  retried: Record<string, number>
  /** Commands that the client showed as waiting, because no answer came within its retry budget. */
  waited: number
  /** Answers that no client expects: 5xx without retry, 401, 429, no JSON. */
  failed: string[]
  /** Longest time from a press to its answer, ms. */
  slowestMs: number
  /** Sockets that were lost. */
  socketsLost: number
  /** Longest time that a member was without a socket, ms. */
  longestAwayMs: number
  /** Credits in the ledger since the last step. */
  credits: number
}

/** Orders to the process of the members and their results. */
export type Orders = {
  /** One member's way from the first page to a claim; returns its steps. */
  journey: () => string[]
  /** Signs members in and starts their commands and sockets. */
  start: (members: number) => void
  /** Waits until every member has a socket again, and returns what happened since the last call. */
  step: () => StepFigures
  /** Ends the load, waits for due credits; returns every violated rule of the economy. */
  stop: () => string[]
}

export type OrderName = keyof Orders
export type Order = { id: number; name: OrderName; args: unknown[] }
export type Result = { id: number; value?: unknown; error?: string }
