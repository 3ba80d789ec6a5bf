import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '#client/testing/eventually.ts'
import { hasLocks, withTabLock } from './tab-lock.ts'
import { installLocks } from './testing/fake-locks.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const mayShare = async () => true

it('the same name runs once at a time, different names run together', async () => {
  installLocks()
  expect(hasLocks()).toBe(true)
  const ends: (() => void)[] = []
  const started: string[] = []
  const run = (name: string) =>
    withTabLock(
      name,
      () => {
        started.push(name)
        return new Promise((resolve) => ends.push(resolve))
      },
      mayShare,
    )
  const all = [run('a'), run('a'), run('b')]
  await eventually(() => expect(started).toEqual(['a', 'b']))
  for (const end of ends.splice(0)) end()
  await eventually(() => expect(started).toEqual(['a', 'b', 'a']))
  for (const end of ends) end()
  await Promise.all(all)
})

describe('a lock that a suspended page keeps', () => {
  const second = vi.fn(async () => {})

  beforeEach(() => {
    vi.useFakeTimers()
    second.mockClear()
    installLocks()
    void withTabLock('a', () => new Promise(() => {}), mayShare)
  })

  it('a visible page waits for it for 20 s, then runs once without it', async () => {
    void withTabLock('a', second, mayShare)
    await vi.advanceTimersByTimeAsync(19_000)
    expect(second).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(second).toHaveBeenCalledTimes(1)
  })

  it('a hidden page waits until it is visible', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    void withTabLock('a', second, mayShare)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(second).not.toHaveBeenCalled()
    hidden.mockReturnValue(false)
    await vi.advanceTimersByTimeAsync(21_000)
    expect(second).toHaveBeenCalledTimes(1)
  })

  it('a page that may not share it waits for its end', async () => {
    void withTabLock('a', second, async () => false)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(second).not.toHaveBeenCalled()
  })
})

it('a browser without Web Locks runs at once', async () => {
  vi.stubGlobal('navigator', {})
  expect(hasLocks()).toBe(false)
  const run = vi.fn(async () => {})
  await withTabLock('a', run, mayShare)
  expect(run).toHaveBeenCalledTimes(1)
})
