import { setTimeout as pause } from 'node:timers/promises'
import { configure, prettyDOM } from '@testing-library/react'

/** Real ms after which `findBy…` and `waitFor` give up; a busy machine renders late. */
const ASYNC_TIMEOUT_MS = 30_000

/**
 * The error of a query that found nothing. `findBy…` and `waitFor` try again after each change of the
 * document, so the document is printed only if the message is read.
 */
function getElementError(message: string | null, container: Element): Error {
  const error = new Error()
  error.name = 'TestingLibraryElementError'
  const get = () => [message, prettyDOM(container)].filter(Boolean).join('\n\n')
  return Object.defineProperty(error, 'message', { get, configurable: true })
}

/**
 * As Testing Library's, which pauses with a timer of the page. happy-dom ends all timers of 0 ms in one task,
 * so React would render what the others have changed after `act` is expected again.
 */
async function asyncWrapper<T>(wait: (...args: unknown[]) => Promise<T>): Promise<T> {
  const expectAct = (isExpected: unknown) =>
    Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', isExpected)
  const before: unknown = Reflect.get(globalThis, 'IS_REACT_ACT_ENVIRONMENT')
  expectAct(false)
  try {
    const result = await wait()
    await pause()
    return result
  } finally {
    expectAct(before)
  }
}

/** Settings of Testing Library; a test that renders calls it first. */
export function configureTestingLibrary(): void {
  configure({ asyncUtilTimeout: ASYNC_TIMEOUT_MS, asyncWrapper, getElementError })
}
