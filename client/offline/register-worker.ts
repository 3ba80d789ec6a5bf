import { atom } from 'jotai'
import { store } from '#client/data/query-cache.ts'
import { MINUTE_MS, SECOND_MS } from '#rules/constants'
import type { WorkerMessage } from './worker-scope.ts'

/** How often an open page checks for a new version, real ms. */
const CHECK_MS = 30 * MINUTE_MS
const ANSWER_TIMEOUT_MS = SECOND_MS

const waitingAtom = atom<ServiceWorker | null>(null)

export const isUpdateReadyAtom = atom((get) => get(waitingAtom) !== null)

const post = (worker: ServiceWorker, message: WorkerMessage, transfer: Transferable[] = []) =>
  worker.postMessage(message, transfer)

/** Whether the page already runs the worker's version: pages come from the network first. */
function isSameVersion(worker: ServiceWorker, entry: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel()
  post(worker, { ask: 'is this your entry?', entry }, [port2])
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === true)
    setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS)
  })
}

/** Offers a waiting worker, or lets it take over if that changes nothing for the page. */
async function offer(worker: ServiceWorker, entry: string): Promise<void> {
  if (await isSameVersion(worker, entry)) post(worker, { ask: 'take over' })
  else store.set(waitingAtom, worker)
}

/** A newer version is offered and never forced on an open page. */
export function followUpdates(registration: ServiceWorkerRegistration, entry: string): void {
  const offerWaiting = () => {
    if (registration.waiting) void offer(registration.waiting, entry)
  }
  const followInstalling = () =>
    registration.installing?.addEventListener('statechange', offerWaiting)
  offerWaiting()
  // The browser may have found the newer version before this page asked.
  followInstalling()
  registration.addEventListener('updatefound', followInstalling)
  setInterval(() => {
    if (!document.hidden) registration.update().catch(() => {})
  }, CHECK_MS)
}

export async function takeUpdate(): Promise<void> {
  const worker = store.get(waitingAtom)
  if (!worker) return
  const takenOver = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
    setTimeout(resolve, ANSWER_TIMEOUT_MS)
  })
  post(worker, { ask: 'take over' })
  await takenOver
}

/** Only the built app has a worker. */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src
  if (!entry) return
  const { pathname } = new URL(entry)
  const register = () =>
    navigator.serviceWorker.register('/sw.js').then(
      (registration) => followUpdates(registration, pathname),
      () => {
        // Without a worker only the start without a network is missing.
      },
    )
  // After the load event, so that caching does not delay the first screen.
  if (document.readyState === 'complete') void register()
  else window.addEventListener('load', register, { once: true })
}
