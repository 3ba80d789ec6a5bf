import { takeUpdate } from '#client/offline/worker/update.ts'

/** Reloads the page with the newest client. */
export async function reloadPage(): Promise<void> {
  await takeUpdate()
  window.location.reload()
}
