import { openPath, pathOf, renewSubscription, showReminder } from './notifications.ts'
import { cacheShell, deleteOldShells, kindOf, serveAsset, servePage } from './shell.ts'
import type { WorkerScope } from './worker-scope.ts'

/** Set by the build: its name, and the paths of the shell's assets. */
declare const __BUILD__: string
declare const __ASSETS__: string[]

const worker = self as unknown as WorkerScope

const build = __BUILD__
const assets = __ASSETS__

worker.addEventListener('install', (event) => event.waitUntil(cacheShell(build, assets)))
worker.addEventListener('activate', (event) => event.waitUntil(deleteOldShells(build)))

worker.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request, self.location.origin)
  if (kind === 'asset') event.respondWith(serveAsset(build, event.request))
  if (kind === 'page') event.respondWith(servePage(build, event.request))
})

worker.addEventListener('message', ({ data, ports }) => {
  if (data.ask === 'take over') void worker.skipWaiting()
  else ports[0]?.postMessage(assets.includes(data.entry))
})

worker.addEventListener('push', (event) =>
  event.waitUntil(showReminder(worker.registration, worker.clients, event.data?.json())),
)
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPath(worker.clients, pathOf(event.notification)))
})
worker.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(renewSubscription(worker.registration, event)),
)
