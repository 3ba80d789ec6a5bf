import { vi } from 'vitest'

/** Repeats `check` until it passes, under fake timers too; a busy machine needs seconds. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, 60_000)
