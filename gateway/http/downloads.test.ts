import { EventEmitter } from 'node:events'
import type Koa from 'koa'
import { afterEach, expect, it, vi } from 'vitest'
import { MINUTE_MS } from '#rules/constants'
import { stream } from './downloads.ts'

/** A request whose client reads nothing. */
function aRequest() {
  const res = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy() {
      res.destroyed = true
      // As a socket does.
      queueMicrotask(() => res.emit('close'))
    },
  })
  const ctx = { req: { socket: { destroyed: false } }, res, attachment() {} }
  return ctx as unknown as Koa.Context
}

afterEach(() => void vi.useRealTimers())

it('20 downloads may be under way: one of more than a minute gives way, and one ends after ten', () => {
  vi.useFakeTimers()
  const requests: Koa.Context[] = []
  const open = () => {
    const request = aRequest()
    stream(request, 'export.json', [Buffer.from('{}')])
    requests.push(request)
  }
  const ended = () => requests.filter(({ res }) => res.destroyed).length
  for (let n = 0; n < 20; n++) open()
  expect(open).toThrow('Too many requests')
  vi.advanceTimersByTime(MINUTE_MS)
  for (const more of [1, 2, 3]) {
    open()
    expect(ended()).toBe(more)
  }
  vi.advanceTimersByTime(9 * MINUTE_MS)
  expect(ended()).toBe(20)
  vi.advanceTimersByTime(MINUTE_MS)
  expect(ended()).toBe(23)
})
