import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Word } from './scope.ts'

const ENTRY = '/assets/index-new.js'

/** A worker that waits, with the entries that its build has. */
class FakeWorker {
  readonly heard: Word['ask'][] = []
  constructor(readonly entries: string[]) {}
  postMessage(word: Word, [port]: [MessagePort?]) {
    this.heard.push(word.ask)
    if (word.ask !== 'take over') port?.postMessage(this.entries.includes(word.entry))
  }
}

class FakeRegistration extends EventTarget {
  waiting: FakeWorker | null = null
  installing: EventTarget | null = null
  update = vi.fn(async () => {})
  installs(worker: FakeWorker) {
    this.installing = new EventTarget()
    this.dispatchEvent(new Event('updatefound'))
    this.waiting = worker
    this.installing.dispatchEvent(new Event('statechange'))
  }
}

async function follow(waiting: FakeWorker | null = null) {
  vi.resetModules()
  const update = await import('./update.ts')
  const cache = await import('#client/data/query-client.ts')
  const registration = Object.assign(new FakeRegistration(), { waiting })
  update.followUpdates(registration as unknown as ServiceWorkerRegistration, ENTRY)
  const offered = () => cache.store.get(update.isUpdateReadyAtom)
  return { registration, offered, takeUpdate: update.takeUpdate }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a new version', () => {
  it('is offered to an open page, and takes over only when that is wanted', async () => {
    const { registration, offered, takeUpdate } = await follow()
    expect(offered()).toBe(false)
    const worker = new FakeWorker(['/assets/index-newer.js'])
    registration.installs(worker)
    await vi.waitFor(() => expect(offered()).toBe(true))
    expect(worker.heard).not.toContain('take over')
    vi.stubGlobal('navigator', { serviceWorker: new EventTarget() })
    const taken = takeUpdate()
    await vi.advanceTimersByTimeAsync(1_000)
    await taken
    expect(worker.heard).toContain('take over')
  })

  it('takes over without a word where the page is that version already', async () => {
    const worker = new FakeWorker([ENTRY])
    const { offered } = await follow(worker)
    await vi.waitFor(() => expect(worker.heard).toContain('take over'))
    expect(offered()).toBe(false)
  })

  it('is asked for each half hour while somebody looks', async () => {
    const { registration } = await follow()
    await vi.advanceTimersByTimeAsync(30 * 60_000)
    expect(registration.update).toHaveBeenCalledTimes(1)
  })
})

it('registers nothing outside of the built app', async () => {
  const { registerWorker } = await import('./update.ts')
  const register = vi.fn()
  vi.stubGlobal('navigator', { serviceWorker: { register } })
  registerWorker()
  expect(register).not.toHaveBeenCalled()
})
