import { takeUpdate } from '#client/offline/worker/update.ts'

/** Loads the page anew, and with it the newest client. */
export async function reloadPage(): Promise<void> {
  await takeUpdate()
  window.location.reload()
}
