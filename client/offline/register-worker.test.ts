import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventually } from '#client/testing/eventually.ts'
import type { WorkerMessage } from './worker-scope.ts'

const ENTRY = '/assets/index-new.js'

/** A waiting worker; `entries` are the entry files of its build. */
class FakeWorker {
  readonly received: WorkerMessage['ask'][] = []
  constructor(readonly entries: string[]) {}
  postMessage(message: WorkerMessage, [port]: [MessagePort?]) {
    this.received.push(message.ask)
    if (message.ask !== 'take over') port?.postMessage(this.entries.includes(message.entry))
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

async function follow(waiting: FakeWorker | null = null, installing: EventTarget | null = null) {
  vi.resetModules()
  const update = await import('./register-worker.ts')
  const cache = await import('#client/data/query-cache.ts')
  const registration = Object.assign(new FakeRegistration(), { waiting, installing })
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
  it('a new version is offered to an open page and takes over only on request', async () => {
    const { registration, offered, takeUpdate } = await follow()
    expect(offered()).toBe(false)
    const worker = new FakeWorker(['/assets/index-newer.js'])
    registration.installs(worker)
    await eventually(() => expect(offered()).toBe(true))
    expect(worker.received).not.toContain('take over')
    vi.stubGlobal('navigator', { serviceWorker: new EventTarget() })
    const takenOver = takeUpdate()
    await vi.advanceTimersByTimeAsync(1_000)
    await takenOver
    expect(worker.received).toContain('take over')
  })

  it('a new version that is being installed already is offered', async () => {
    const installing = new EventTarget()
    const { registration, offered } = await follow(null, installing)
    registration.waiting = new FakeWorker(['/assets/index-newer.js'])
    installing.dispatchEvent(new Event('statechange'))
    await eventually(() => expect(offered()).toBe(true))
  })

  it('a worker of the same version takes over without an offer', async () => {
    const worker = new FakeWorker([ENTRY])
    const { offered } = await follow(worker)
    await eventually(() => expect(worker.received).toContain('take over'))
    expect(offered()).toBe(false)
  })

  it('a visible page checks for a new version every half hour', async () => {
    const { registration } = await follow()
    await vi.advanceTimersByTimeAsync(30 * 60_000)
    expect(registration.update).toHaveBeenCalledTimes(1)
  })
})

it('no worker is registered outside the built app', async () => {
  const { registerWorker } = await import('./register-worker.ts')
  const register = vi.fn()
  vi.stubGlobal('navigator', { serviceWorker: { register } })
  registerWorker()
  expect(register).not.toHaveBeenCalled()
})
