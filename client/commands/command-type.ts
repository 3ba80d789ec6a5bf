/** A command as it is issued or resumed. `late`: it waited, or another page load issued it. */
type Issued<I> = { input: I; late: boolean }

/** What a command sends, and how its outcome reaches the member. */
export type CommandDefinition<I = unknown, A = unknown> = {
  /** Stored with the command; unique, stable across versions of the client, and a key of its texts. */
  name: string
  /** While a command with this key is unfinished, others with it are ignored. */
  mutexKey(input: I): string
  /**
   * What it needs that is not stored with it, such as a file; false if that was lost with the page.
   * The command is then cancelled.
   */
  hasInput?(input: I): boolean
  /** What the member sees now, if the command is only valid for that. */
  basis?(): string | null
  /** Reads what the server shows now; a command that waited is dropped if it differs from its basis. */
  readBasis?(): Promise<string | null>
  send(input: I, idempotencyKey: string): Promise<A>
  onDone(answer: A, issued: Issued<I>): void | Promise<void>
  onRefused(error: unknown, issued: Issued<I>): void | Promise<void>
}

/** How a command ended for the code that issued it; `waiting` is reported once and is not the end. */
export type Outcome<A> =
  | { state: 'done'; answer: A }
  | { state: 'refused'; error: unknown }
  | { state: 'dropped' | 'waiting' | 'ignored' }
