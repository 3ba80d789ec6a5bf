import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { storage } from './storage.ts'

beforeEach(() => {
  localStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

const deny = () => {
  throw new DOMException('denied', 'SecurityError')
}

/** Storage as a browser shows it to a page that may not use it. */
function blockStorage() {
  const blocked = { getItem: deny, setItem: deny, removeItem: deny }
  vi.stubGlobal('localStorage', blocked)
}

describe('stored keys and formats', () => {
  it('device items are stored as JSON under their name', () => {
    storage.write('socketsBlockedAt', 5)
    expect({ ...localStorage }).toEqual({ socketsBlockedAt: '5' })
    expect(storage.read('socketsBlockedAt')).toBe(5)
    storage.write('socketsBlockedAt', undefined)
    expect(localStorage).toHaveLength(0)
  })

  it('commands are stored by member and idempotency key', () => {
    storage.writeFor(7, 'command', { key: 'a' }, 'a')
    storage.writeFor(7, 'command', { key: 'b' }, 'b')
    storage.writeFor(70, 'command', { key: 'c' }, 'c')
    expect(localStorage.getItem('command:7:a')).toBe('{"key":"a"}')
    expect(storage.readFor(7, 'command', 'a')).toEqual({ key: 'a' })
    expect(storage.listFor(7, 'command')).toEqual([{ key: 'a' }, { key: 'b' }])
    storage.writeFor(7, 'command', undefined, 'a')
    expect(storage.listFor(7, 'command')).toEqual([{ key: 'b' }])
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
    expect(storage.readFor(7, 'snapshots')).toBeUndefined()
    storage.writeFor(7, 'snapshots', { user: 7 })
    storage.writeFor(7, 'command', 'a', 'k')
    expect(storage.readFor(7, 'snapshots')).toEqual({ user: 7 })
    expect(storage.listFor(7, 'command')).toEqual(['a'])
    storage.writeFor(7, 'snapshots', undefined)
    storage.forgetMember(7)
    expect(storage.readFor(7, 'snapshots')).toBeUndefined()
    expect(storage.listFor(7, 'command')).toEqual([])
  })

  it('a value that does not fit replaces the stored one until the next write', () => {
    localStorage.setItem('socketsBlockedAt', '1')
    vi.stubGlobal('localStorage', {
      getItem: () => '1',
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    })
    storage.write('socketsBlockedAt', 2)
    expect(storage.read('socketsBlockedAt')).toBe(2)
    vi.unstubAllGlobals()
    storage.write('socketsBlockedAt', 3)
    expect(localStorage.getItem('socketsBlockedAt')).toBe('3')
    expect(storage.read('socketsBlockedAt')).toBe(3)
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
      storage.writeFor(memberId, 'command', 'a', 'k')
      storage.writeFor(memberId, 'snapshots', { user: memberId })
      storage.writeFor(memberId, 'shownReward', 'credit:5:1')
      storage.writeFor(memberId, 'seenCredits', { count: 1 })
      storage.writeFor(memberId, 'completedTasks', { a: '1' })
    }
    storage.write('socketsBlockedAt', 5)
  })

  it('forgetMember removes every item of one member', () => {
    storage.forgetMember(7)
    expect({ ...localStorage }).toEqual({
      'command:8:k': '"a"',
      'snapshots:8': '{"user":8}',
      'shownReward:8': 'credit:5:1',
      'seenCredits:8': '{"count":1}',
      completedTasks: '{"8":{"a":"1"}}',
      socketsBlockedAt: '5',
    })
  })

  it('endSignIns removes what ends with the sign-in, of all other members', () => {
    storage.endSignIns(8)
    expect(Object.keys(localStorage).sort()).toEqual([
      'command:8:k',
      'completedTasks',
      'seenCredits:8',
      'shownReward:8',
      'snapshots:8',
      'socketsBlockedAt',
    ])
    storage.endSignIns()
    expect(Object.keys(localStorage).sort()).toEqual(['completedTasks', 'socketsBlockedAt'])
  })

  it('endSignIns keeps which commands of others were without an outcome, oldest first and once', () => {
    const aCommand = (state: string, issuedAt: number) => {
      return { key: state, name: 'claim', mutexKey: 'mining', input: 'secret', issuedAt, state }
    }
    const states = ['waiting', 'pending', 'retrying', 'undoing', 'refusing', 'done', 'dropped']
    for (const [index, state] of states.entries()) {
      storage.writeFor(7, 'command', aCommand(state, 9 - index), state)
      storage.writeFor(8, 'command', aCommand(state, index), state)
    }
    storage.writeFor(7, 'endedCommands', [{ key: 'pending', name: 'claim', issuedAt: 8 }])
    storage.endSignIns(8)
    storage.endSignIns(8)
    expect(storage.readFor(7, 'endedCommands')).toEqual([
      { key: 'pending', name: 'claim', issuedAt: 8 },
      { key: 'retrying', name: 'claim', issuedAt: 7 },
      { key: 'waiting', name: 'claim', issuedAt: 9 },
    ])
    expect(storage.listFor(7, 'command')).toEqual([])
    expect(storage.readFor(8, 'endedCommands')).toBeUndefined()
    expect(storage.listFor(8, 'command')).toHaveLength(states.length + 1)
  })
})

it('onOtherTab calls back for changes of its item in other tabs until it is stopped', () => {
  const listener = vi.fn()
  const stop = storage.onOtherTab('command', listener)
  const change = (key: string | null) => window.dispatchEvent(new StorageEvent('storage', { key }))
  change('snapshots:7')
  expect(listener).not.toHaveBeenCalled()
  change('command:7:k')
  change(null)
  expect(listener).toHaveBeenCalledTimes(2)
  stop()
  change('command:7:k')
  expect(listener).toHaveBeenCalledTimes(2)
})
