import { vi } from 'vitest'

/** Web Locks for the pages of one test, which share them as the tabs of a browser do. */
export function installLocks(): void {
  const tails = new Map<string, Promise<void>>()
  const request = (name: string, run: () => Promise<void>) => {
    const result = (tails.get(name) ?? Promise.resolve()).then(run)
    tails.set(
      name,
      result.catch(() => {}),
    )
    return result
  }
  vi.stubGlobal(
    'navigator',
    new Proxy(navigator, {
      get: (target, name) => (name === 'locks' ? { request } : Reflect.get(target, name)),
    }),
  )
}
