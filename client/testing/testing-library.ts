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

/** Settings of Testing Library; a test that renders calls it first. */
export function configureTestingLibrary(): void {
  configure({ asyncUtilTimeout: ASYNC_TIMEOUT_MS, getElementError })
}
