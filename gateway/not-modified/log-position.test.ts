import { expect, it } from 'vitest'
import { changesSince } from './follow-poll-log.ts'

const last = { position: '10:20:', server: '1700000000.5', aheadMs: 0 }

it('a read of the poll log names what changed since the last read of the same server', () => {
  expect(changesSince(last, { ...last, position: '20:30:' }, 5)).toBe('names')
})

it('a first read and a read after a failover prove nothing about earlier changes', () => {
  expect(changesSince(undefined, last, 5)).toBe('nothing')
  expect(changesSince(last, { ...last, server: '1700000099.5' }, 5)).toBe('nothing')
})

it('a jump of a clock beyond the duration of the read concerns all members', () => {
  expect(changesSince(last, { ...last, aheadMs: 1_400 }, 500)).toBe('names')
  expect(changesSince(last, { ...last, aheadMs: -1_600 }, 500)).toBe('all')
})
