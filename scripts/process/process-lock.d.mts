/** Names one living process (id and start time); undefined if there is none with this id. */
export function processMark(pid?: number): string | undefined

/** The id of the living process that holds the lock, if any. */
export function lockOwner(file: string): number | undefined

/** Takes the lock of this process if it is free or its owner is dead; says whether it did. */
export function tryLock(file: string): boolean

/** Gives the lock back, if it is this process' own. */
export function unlock(file: string): void
