import type { Page } from 'playwright-core'

/** Records console messages and API reads of a page from now on. */
export function watch(page: Page) {
  const errors: string[] = []
  const reads: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && request.method() === 'GET') reads.push(pathname)
  })
  return {
    errors,
    count: (path: string) => reads.filter((one) => one === path).length,
    reset: () => void reads.splice(0),
    twice: () => reads.filter((one, index) => reads.indexOf(one) !== index),
  }
}

/** Counts blocked content of a page, such as a script that the Content Security Policy forbids. */
export const COUNT_VIOLATIONS = `
  window.violations = 0
  document.addEventListener('securitypolicyviolation', () => { window.violations += 1 })`
