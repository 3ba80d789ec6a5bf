/** Loads the page anew, and with it the newest client. */
export function reloadPage(): void {
  window.location.reload()
}
