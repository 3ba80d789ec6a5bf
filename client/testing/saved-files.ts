import { vi } from 'vitest'

export type SavedFile = { name: string; blob: Blob }

/**
 * Catches the files that the page hands to the browser: links with a blob URL that are clicked. Undone
 * by `vi.restoreAllMocks`.
 */
export function catchSavedFiles(): SavedFile[] {
  const saved: SavedFile[] = []
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob)
    return `blob:${blobs.length - 1}`
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const blob = blobs[Number(this.href.slice('blob:'.length))]
    if (blob) saved.push({ name: this.download, blob })
  })
  return saved
}
