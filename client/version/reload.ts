import { takeUpdate } from '#client/offline/worker/register-worker.ts'

/** Reloads the page with the newest client. */
export async function reloadPage(): Promise<void> {
  await takeUpdate()
  window.location.reload()
}
