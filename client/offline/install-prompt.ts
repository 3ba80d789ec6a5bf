import { atom } from 'jotai'
import { miningAtom } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { storage } from '#client/data/storage.ts'

/** Chromium's `beforeinstallprompt`; other browsers install from their menus. */
type InstallPrompt = Event & { prompt(): Promise<unknown> }

const promptAtom = atom<InstallPrompt | null>(null)

/** Whether the member is asked to install the app: after a first credit, until they answer on this device. */
export const isInstallOfferedAtom = atom((get) => {
  if (get(promptAtom) === null) return false
  return (get(miningAtom).data?.session?.creditedIntervals ?? 0) > 0
})

const isAnswered = () => storage.read('installOffer') !== undefined

export function keepInstallPrompt(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    if (isAnswered()) return
    // Its own note would come before the member knows what the app does.
    event.preventDefault()
    store.set(promptAtom, event as InstallPrompt)
  })
  window.addEventListener('appinstalled', () => answer('installed'))
}

function answer(text: 'no' | 'asked' | 'installed'): void {
  storage.write('installOffer', text)
  store.set(promptAtom, null)
}

export const declineInstall = () => answer('no')

/** Shows the browser's dialog, which it allows once. */
export async function install(): Promise<void> {
  const prompt = store.get(promptAtom)
  answer('asked')
  await prompt?.prompt()
}
