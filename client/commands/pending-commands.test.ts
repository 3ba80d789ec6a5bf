import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  COMMAND_EXPIRY_MS,
  forgetCommand,
  pendingCommands,
  rememberCommand,
} from './pending-commands.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
  sessionStorage.clear()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('a command is pending from before it is sent until it is answered', () => {
  const command = rememberCommand(7, 'claim', 5)
  expect(pendingCommands(7)).toEqual([command])
  forgetCommand(7, command)
  expect(pendingCommands(7)).toEqual([])
  expect(sessionStorage).toHaveLength(0)
})

it('a repeated command keeps its idempotency key until a newer snapshot arrives', () => {
  const { key } = rememberCommand(7, 'start', 5)
  expect(rememberCommand(7, 'start', 5).key).toBe(key)
  expect(rememberCommand(7, 'stop', 5).key).not.toBe(key)
  expect(rememberCommand(7, 'start', 6).key).not.toBe(key)
  expect(
    pendingCommands(7)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['start', 'stop'])
})

it('pending commands expire after two minutes, or when the clock is set back', () => {
  const { key } = rememberCommand(7, 'claim', 5)
  vi.advanceTimersByTime(COMMAND_EXPIRY_MS - 1)
  expect(pendingCommands(7)).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(pendingCommands(7)).toEqual([])
  expect(rememberCommand(7, 'claim', 5).key).not.toBe(key)
  vi.setSystemTime(Date.now() - 60_000)
  expect(pendingCommands(7)).toEqual([])
})

it('pending commands are stored per member', () => {
  rememberCommand(7, 'claim', 5)
  expect(pendingCommands(8)).toEqual([])
})

it('pending commands are stored in the format of installed clients', () => {
  const stored = { action: 'start', key: 'k', pressedAt: Date.now(), seen: 5 }
  sessionStorage.setItem('presses:7', JSON.stringify([stored]))
  expect(rememberCommand(7, 'start', 5).key).toBe('k')
  expect(JSON.parse(sessionStorage.getItem('presses:7') ?? '')).toEqual([stored])
})

it('unreadable pending commands count as none', () => {
  sessionStorage.setItem('presses:7', '{"no":"list"}')
  expect(pendingCommands(7)).toEqual([])
  sessionStorage.setItem('presses:7', '[4, null, {"key":"without a time"}]')
  expect(pendingCommands(7)).toEqual([])
})

it('pending commands last as long as the page when storage is blocked', () => {
  vi.stubGlobal('sessionStorage', undefined)
  const command = rememberCommand(7, 'claim', 5)
  expect(command.key).toMatch(/.{32,}/)
  expect(pendingCommands(7)).toEqual([command])
  forgetCommand(7, command)
  expect(pendingCommands(7)).toEqual([])
})
