import { atom } from 'jotai'
import { store } from '#client/data/query-client.ts'
import { MINUTE_MS, SECOND_MS } from '#rules/constants'
import type { Word } from './scope.ts'

/** How often an open page asks for a new version, and how long a worker may take to answer. */
const CHECK_MS = 30 * MINUTE_MS
const ANSWER_MS = SECOND_MS

/** The worker of a newer version than this page, waiting to take over. */
const waitingAtom = atom<ServiceWorker | null>(null)

/** Whether a newer version than this page is here already. */
export const isUpdateReadyAtom = atom((get) => get(waitingAtom) !== null)

const say = (worker: ServiceWorker, word: Word, transfer: Transferable[] = []) =>
  worker.postMessage(word, transfer)

/** Whether the page runs what this worker would serve: it came from the network, as pages do. */
function isOwn(worker: ServiceWorker, entry: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  say(worker, { ask: 'is this your entry?', entry }, [port2])
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === true)
    setTimeout(() => resolve(false), ANSWER_MS)
  })
}

async function consider(worker: ServiceWorker, entry: string): Promise<void> {
  if (await isOwn(worker, entry)) say(worker, { ask: 'take over' })
  else store.set(waitingAtom, worker)
}

/** Follows a registration: a newer version is offered, and never forced upon an open page. */
export function followUpdates(registration: ServiceWorkerRegistration, entry: string): void {
  const look = () => {
    if (registration.waiting) void consider(registration.waiting, entry)
  }
  look()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', look)
  })
  setInterval(() => {
    if (!document.hidden) registration.update().catch(() => {})
  }, CHECK_MS)
}

/** Lets a waiting version take over; resolves once it has, or has taken too long. */
export async function takeUpdate(): Promise<void> {
  const worker = store.get(waitingAtom)
  if (!worker) return
  const changed = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
    setTimeout(resolve, ANSWER_MS)
  })
  say(worker, { ask: 'take over' })
  await changed
}

/** Has the shell kept for when there is no network; only the built app has one. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src
  if (!entry) return
  const { pathname } = new URL(entry)
  const register = () =>
    navigator.serviceWorker.register('/sw.js').then(
      (registration) => followUpdates(registration, pathname),
      () => {
        // Without it everything but the start without a network works as well.
      },
    )
  // What the first screen needs comes first.
  if (document.readyState === 'complete') void register()
  else window.addEventListener('load', register, { once: true })
}
