import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { storage } from './storage.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

const deny = () => {
  throw new DOMException('denied', 'SecurityError')
}

/** Storage as a browser shows it to a page that may not use it. */
function blockStorage() {
  const blocked = { getItem: deny, setItem: deny, removeItem: deny }
  vi.stubGlobal('localStorage', blocked)
  vi.stubGlobal('sessionStorage', undefined)
}

describe('stored keys and formats', () => {
  it('device items are stored as JSON under their name', () => {
    storage.write('socketsBlockedAt', 5)
    expect({ ...localStorage }).toEqual({ socketsBlockedAt: '5' })
    expect(storage.read('socketsBlockedAt')).toBe(5)
    storage.write('socketsBlockedAt', undefined)
    expect(localStorage).toHaveLength(0)
  })

  it('pending commands are stored per member in the tab', () => {
    storage.writeFor(7, 'presses', [{ key: 'a' }])
    expect({ ...sessionStorage }).toEqual({ 'presses:7': '[{"key":"a"}]' })
    expect(storage.readFor(7, 'presses')).toEqual([{ key: 'a' }])
    expect(storage.readFor(8, 'presses')).toBeUndefined()
  })

  it('shown rewards are stored per member as plain text', () => {
    storage.writeFor(7, 'shownReward', 'credit:5:1')
    expect({ ...localStorage }).toEqual({ 'shownReward:7': 'credit:5:1' })
    expect(storage.readFor(7, 'shownReward')).toBe('credit:5:1')
  })

  it('completed tasks of all members share one object', () => {
    storage.writeFor(7, 'completedTasks', { a: '1' })
    storage.writeFor(8, 'completedTasks', { b: '2' })
    expect({ ...localStorage }).toEqual({ completedTasks: '{"7":{"a":"1"},"8":{"b":"2"}}' })
    storage.writeFor(7, 'completedTasks', undefined)
    storage.writeFor(8, 'completedTasks', undefined)
    expect(localStorage).toHaveLength(0)
  })
})

it.each(['no json', '[]', 'null', '7'])('an unreadable item reads as empty: %s', (text) => {
  localStorage.setItem('completedTasks', text)
  expect(storage.readFor(7, 'completedTasks')).toBeUndefined()
  storage.writeFor(7, 'completedTasks', { a: '1' })
  expect(storage.readFor(7, 'completedTasks')).toEqual({ a: '1' })
})

describe('blocked storage', () => {
  it('values are kept in memory while storage is blocked', () => {
    blockStorage()
    expect(storage.read('lastKnown')).toBeUndefined()
    storage.write('lastKnown', { user: 7 })
    storage.writeFor(7, 'presses', ['a'])
    expect(storage.read('lastKnown')).toEqual({ user: 7 })
    expect(storage.readFor(7, 'presses')).toEqual(['a'])
    storage.write('lastKnown', undefined)
    storage.forgetMember(7)
    expect(storage.read('lastKnown')).toBeUndefined()
    expect(storage.readFor(7, 'presses')).toBeUndefined()
  })

  it('a value that does not fit replaces the stored one until the next write', () => {
    localStorage.setItem('lastKnown', '1')
    vi.stubGlobal('localStorage', {
      getItem: () => '1',
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    })
    storage.write('lastKnown', 2)
    expect(storage.read('lastKnown')).toBe(2)
    vi.unstubAllGlobals()
    storage.write('lastKnown', 3)
    expect(localStorage.getItem('lastKnown')).toBe('3')
    expect(storage.read('lastKnown')).toBe(3)
  })

  it('shown rewards of blocked storage end with the sign-in', () => {
    blockStorage()
    storage.writeFor(7, 'shownReward', 'credit:5:1')
    storage.endSignIns()
    expect(storage.readFor(7, 'shownReward')).toBeUndefined()
  })
})

describe('removal', () => {
  beforeEach(() => {
    for (const memberId of [7, 8]) {
      storage.writeFor(memberId, 'presses', ['a'])
      storage.writeFor(memberId, 'shownReward', 'credit:5:1')
      storage.writeFor(memberId, 'completedTasks', { a: '1' })
    }
    storage.write('socketsBlockedAt', 5)
  })

  it('forgetMember removes every item of one member', () => {
    storage.forgetMember(7)
    expect({ ...sessionStorage, ...localStorage }).toEqual({
      'presses:8': '["a"]',
      'shownReward:8': 'credit:5:1',
      completedTasks: '{"8":{"a":"1"}}',
      socketsBlockedAt: '5',
    })
  })

  it('endSignIns removes the shown rewards of all other members', () => {
    storage.endSignIns(8)
    expect(Object.keys(localStorage).sort()).toEqual([
      'completedTasks',
      'shownReward:8',
      'socketsBlockedAt',
    ])
    storage.endSignIns()
    expect(localStorage.getItem('shownReward:8')).toBeNull()
    expect(storage.readFor(8, 'presses')).toEqual(['a'])
  })
})

it('onOtherTab calls back for changes of other tabs until it is stopped', () => {
  const listener = vi.fn()
  const stop = storage.onOtherTab(listener)
  window.dispatchEvent(new Event('storage'))
  expect(listener).toHaveBeenCalledTimes(1)
  stop()
  window.dispatchEvent(new Event('storage'))
  expect(listener).toHaveBeenCalledTimes(1)
})
