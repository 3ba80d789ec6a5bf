import { afterEach, expect, it, vi } from 'vitest'
import { hasLocks, withTabLock } from './tab-lock.ts'
import { installLocks } from './testing/fake-locks.ts'

afterEach(() => vi.unstubAllGlobals())

it('the same name runs once at a time, different names run together', async () => {
  installLocks()
  expect(hasLocks()).toBe(true)
  const ends: (() => void)[] = []
  const started: string[] = []
  const run = (name: string) =>
    withTabLock(name, () => {
      started.push(name)
      return new Promise((resolve) => ends.push(resolve))
    })
  const all = [run('a'), run('a'), run('b')]
  await vi.waitFor(() => expect(started).toEqual(['a', 'b']))
  for (const end of ends.splice(0)) end()
  await vi.waitFor(() => expect(started).toEqual(['a', 'b', 'a']))
  for (const end of ends) end()
  await Promise.all(all)
})

it('a browser without Web Locks runs at once', async () => {
  vi.stubGlobal('navigator', {})
  expect(hasLocks()).toBe(false)
  const run = vi.fn(async () => {})
  await withTabLock('a', run)
  expect(run).toHaveBeenCalledTimes(1)
})
