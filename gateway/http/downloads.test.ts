import { EventEmitter } from 'node:events'
import type Koa from 'koa'
import { afterEach, expect, it, vi } from 'vitest'
import { MINUTE_MS } from '#rules/constants'
import { stream } from './route.ts'

/** A request whose client reads nothing. */
function aRequest() {
  const res = Object.assign(new EventEmitter(), { destroy: () => void res.emit('close') })
  return { req: { socket: { destroyed: false } }, res } as unknown as Koa.Context
}

afterEach(() => void vi.useRealTimers())

it('20 downloads may be under way, and one ends after 10 minutes', () => {
  vi.useFakeTimers()
  const open = () => stream(aRequest(), [Buffer.from('{}')])
  for (let n = 0; n < 20; n++) open()
  expect(open).toThrow('Too many requests')
  vi.advanceTimersByTime(10 * MINUTE_MS)
  for (let n = 0; n < 20; n++) open()
  expect(open).toThrow('Too many requests')
  vi.advanceTimersByTime(10 * MINUTE_MS)
})
