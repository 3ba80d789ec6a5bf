import { expect, it } from 'vitest'
import { createLog } from '#runtime/logging/log'
import { loggedError } from './logged-error.ts'

/** What a gateway logs about two failed requests. */
function logOfTwo(): string {
  const lines: string[] = []
  const log = createLog('gateway', 'info', { write: (line) => void lines.push(line) })
  const fail = (requestId: string, error: Error) =>
    log.error({ err: error, requestId, method: 'POST' }, 'request failed')
  fail('request-1', Object.assign(new Error('a node\nis lost'), { code: 'XX000' }))
  fail('request-2', new TypeError('no such figure'))
  return lines.join('')
}

it('the error of a failed request is read from the log by the id of the request', async () => {
  const outputs = () => ['', logOfTwo()]
  expect(await loggedError(outputs, 'request-1')).toBe('Error XX000: a node is lost')
  expect(await loggedError(outputs, 'request-2')).toBe('TypeError without a code: no such figure')
})

it('the error of a failed request is read once its line in the log is complete', async () => {
  const text = logOfTwo()
  const lengths = [40, 80, 160]
  const outputs = () => [text.slice(0, lengths.shift())]
  expect(await loggedError(outputs, 'request-1')).toBe('Error XX000: a node is lost')
})

it('a failed request that no log mentions is reported by its id', async () => {
  expect(await loggedError(() => [logOfTwo()], 'request-3')).toContain('request-3')
})
