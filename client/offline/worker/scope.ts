/** The parts of a service worker's scope that we use; the DOM type library does not include them. */

export type LifeEvent = Event & { waitUntil(work: Promise<unknown>): void }
export type FetchEvent = LifeEvent & {
  request: Request
  respondWith(answer: Promise<Response>): void
}

export type WorkerScope = {
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent<WorkerMessage>) => void): void
  skipWaiting(): Promise<void>
}

/** A page's message to a worker; the first is answered through the port with true or false. */
export type WorkerMessage = { ask: 'is this your entry?'; entry: string } | { ask: 'take over' }
