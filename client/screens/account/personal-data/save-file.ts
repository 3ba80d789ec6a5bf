import { MINUTE_MS } from '#rules/constants'

/** Saves a text as a JSON file through the browser's download. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read the URL only after the member has chosen where to save the file.
  setTimeout(() => URL.revokeObjectURL(url), MINUTE_MS)
}
