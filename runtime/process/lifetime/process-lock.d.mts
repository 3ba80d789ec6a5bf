/** Id and start time of a living process; undefined if no process has this id. */
export function processMark(pid?: number): string | undefined

/** Id of the living process that holds the lock, if any. */
export function lockOwner(file: string): number | undefined

/** Takes the lock if it is free or its owner is dead. Returns whether it did. */
export function tryLock(file: string): boolean

/** Releases the lock if this process holds it. */
export function unlock(file: string): void
