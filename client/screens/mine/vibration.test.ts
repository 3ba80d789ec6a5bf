import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { vibrate } from './mining-commands.ts'

const vibrated = vi.fn()

function define(name: string, value: unknown) {
  Object.defineProperty(navigator, name, { configurable: true, value })
}

beforeEach(() => {
  vibrated.mockClear()
  define('vibrate', vibrated)
  define('userActivation', { hasBeenActive: true })
})
afterEach(() => vi.unstubAllGlobals())

it('a device that can vibrate does', () => {
  vibrate('switched')
  expect(vibrated).toHaveBeenCalledTimes(1)
})

it('nothing vibrates with reduced motion', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  vibrate('paid')
  expect(vibrated).not.toHaveBeenCalled()
})

it('a page that was not touched does not vibrate', () => {
  define('userActivation', { hasBeenActive: false })
  vibrate('paid')
  expect(vibrated).not.toHaveBeenCalled()
})

it('a device that cannot vibrate raises no error', () => {
  define('vibrate', undefined)
  define('userActivation', undefined)
  expect(() => vibrate('paid')).not.toThrow()
})
