/** `late`: it waited, or another page load issued it. */
type Issued<I> = { input: I; late: boolean }

export type CommandDefinition<I = unknown, A = unknown> = {
  /** Stored with the command; unique, stable across versions of the client, and a key of its texts. */
  name: string
  /** While a command with this key is unfinished, others with it are ignored. */
  mutexKey(input: I): string
  /** Whether what is not stored with it, such as a file, is still there; without it the command is cancelled. */
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
