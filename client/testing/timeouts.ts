import { configure } from '@testing-library/react'

/** Real ms after which `findBy…` and `waitFor` give up; a busy machine renders late. */
const ASYNC_TIMEOUT_MS = 5_000

export function extendTimeouts(): void {
  configure({ asyncUtilTimeout: ASYNC_TIMEOUT_MS })
}
