/** Stands for the owner of a code that does not exist. */
export const NOBODY = 0

/** What a member sends; a repeated request has the same key. */
export type Command = { memberId: number; key: string } & (
  | { kind: 'start' | 'stop' | 'claim' | 'milestones' }
  | { kind: 'task'; taskId: string }
  /** `owner` is the member whose code it is; `NOBODY` for a code that nobody has. */
  | { kind: 'apply'; owner: number }
  /** Cancels the command of that key. */
  | { kind: 'cancel'; cancelled: string }
)

/** The answer of a command, or the code of the rule that refused it. */
export type Outcome = { answer: unknown } | { refused: string }
