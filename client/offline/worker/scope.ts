/** What a service worker is given: the page's library of types knows nothing of it. */

export type LifeEvent = Event & { waitUntil(work: Promise<unknown>): void }
export type FetchEvent = LifeEvent & {
  request: Request
  respondWith(answer: Promise<Response>): void
}

export type WorkerScope = {
  addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent<Word>) => void): void
  skipWaiting(): Promise<void>
}

/** What a page says to a worker; the first is answered through the port with true or false. */
export type Word = { ask: 'is this your entry?'; entry: string } | { ask: 'take over' }
