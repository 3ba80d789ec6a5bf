export function processMark(pid?: number): string | undefined

export function lockOwner(file: string): number | undefined

export function tryLock(file: string): boolean

export function unlock(file: string): void
