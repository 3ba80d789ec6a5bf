import { MINUTE_MS } from '#rules/constants'

/** Lets the browser save a text as a file, as if it had been downloaded from an address. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read it only after they have asked where to save it.
  setTimeout(() => URL.revokeObjectURL(address), MINUTE_MS)
}
