import { MINUTE_MS } from '#rules/constants'

export function fileNameIn(headers: Headers): string | undefined {
  return /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1]
}

export function saveFile(name: string, text: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read the URL only after the member has chosen where to save the file.
  setTimeout(() => URL.revokeObjectURL(url), MINUTE_MS)
}
