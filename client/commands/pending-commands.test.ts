import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  COMMAND_EXPIRY_MS,
  forgetCommand,
  pendingCommands,
  rememberCommand,
} from './pending-commands.ts'

beforeEach(() => {
  vi.useFakeTimers()
  sessionStorage.clear()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('is remembered from before it is sent until it is answered', () => {
  const pressed = rememberCommand(7, 'claim', 5)
  expect(pendingCommands(7)).toEqual([pressed])
  forgetCommand(7, pressed)
  expect(pendingCommands(7)).toEqual([])
  expect(sessionStorage).toHaveLength(0)
})

it('keeps its key while the member knows nothing newer', () => {
  const { key } = rememberCommand(7, 'start', 5)
  expect(rememberCommand(7, 'start', 5).key).toBe(key)
  expect(rememberCommand(7, 'stop', 5).key).not.toBe(key)
  expect(rememberCommand(7, 'start', 6).key).not.toBe(key)
  expect(
    pendingCommands(7)
      .map(({ action }) => action)
      .sort(),
  ).toEqual(['start', 'stop'])
})

it('is forgotten after two minutes, or where the clock was set back', () => {
  const { key } = rememberCommand(7, 'claim', 5)
  vi.advanceTimersByTime(COMMAND_EXPIRY_MS - 1)
  expect(pendingCommands(7)).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(pendingCommands(7)).toEqual([])
  expect(rememberCommand(7, 'claim', 5).key).not.toBe(key)
  vi.setSystemTime(Date.now() - 60_000)
  expect(pendingCommands(7)).toEqual([])
})

it("is never another member's", () => {
  rememberCommand(7, 'claim', 5)
  expect(pendingCommands(8)).toEqual([])
})

it('works where the storage is broken or forbidden', () => {
  sessionStorage.setItem('presses:7', '{"no":"list"}')
  expect(pendingCommands(7)).toEqual([])
  vi.stubGlobal('sessionStorage', undefined)
  expect(rememberCommand(7, 'claim', 5).key).toMatch(/.{32,}/)
  expect(pendingCommands(7)).toEqual([])
})
