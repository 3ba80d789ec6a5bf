import { expect, it, vi } from 'vitest'
import { openWindow } from './window.ts'

type Page = {
  setTimeout(callback: () => void, ms: number): void
  setInterval(callback: () => void, ms: number): void
  addEventListener(name: string, listener: () => void): void
  dispatchEvent(event: unknown): void
  Event: new (name: string) => unknown
  localStorage: Storage
  document: { cookie: string; body: { innerHTML: string }; title: string }
  history: { pushState(data: null, title: string, url: string): void }
  location: { pathname: string }
  URL: typeof URL
}
type Storage = { getItem(key: string): string | null; setItem(key: string, value: string): void }

it('a new window holds nothing of the one before', async () => {
  const target = {} as Page
  const first = openWindow(target)
  const heard = vi.fn()
  target.addEventListener('online', heard)
  target.localStorage.setItem('theme', 'dark')
  target.document.cookie = 'member=7'
  target.document.body.innerHTML = '<p>balance</p>'
  target.history.pushState(null, '', '/wallet')
  await first.close()
  first.remove()
  openWindow(target)
  target.dispatchEvent(new target.Event('online'))
  expect(heard).not.toHaveBeenCalled()
  expect(target.localStorage.getItem('theme')).toBeNull()
  expect(target.document).toMatchObject({ cookie: '', body: { innerHTML: '' } })
  expect(target.location.pathname).toBe('/')
})

it('timers of a window end with it', async () => {
  const target = {} as Page
  const page = openWindow(target)
  const { setTimeout, setInterval } = target
  const late = vi.fn()
  setTimeout(late, 1)
  setInterval(late, 1)
  await page.close()
  late.mockClear()
  setTimeout(late, 1)
  await new Promise((resolve) => globalThis.setTimeout(resolve, 20))
  expect(late).not.toHaveBeenCalled()
})

it('globals that a page adds, replaces or deletes are as before it', () => {
  const target = { URL: 'of Node', kept: 1, deleted: 2 } as Record<string, unknown>
  const page = openWindow(target)
  expect(target.URL).not.toBe('of Node')
  Object.assign(target, { added: true, kept: 3 })
  delete target.deleted
  page.remove()
  expect(target).toEqual({ URL: 'of Node', kept: 1, deleted: 2 })
})

it('a package that keeps the timers of the first window has those of the newest', async () => {
  const target = {} as Page
  const first = openWindow(target)
  const { setTimeout } = target
  await first.close()
  first.remove()
  const second = openWindow(target)
  await new Promise<void>((resolve) => setTimeout(resolve, 1))
  await second.close()
})

it('the mark of wouter, which it cannot delete itself, ends with the window', () => {
  const mark = Symbol.for('wouter_v3')
  const target: { [mark]?: boolean } = {}
  for (const _ of ['first window', 'second window']) {
    const page = openWindow(target)
    expect(target[mark]).toBeUndefined()
    Object.defineProperty(target, mark, { value: true })
    page.remove()
  }
})
