import { vi } from 'vitest'

/** Decodes every image to this size; returns the spy that counts released bitmaps. */
export function decodesTo(width: number, height: number) {
  const close = vi.fn()
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close }))
  return { close }
}

/** Decodes no image, as the browser does with a file that is not an image. */
export function failsToDecode(): void {
  vi.stubGlobal('createImageBitmap', async () => {
    throw new DOMException('The source image could not be decoded')
  })
}

/** A canvas that draws nothing and exports a JPEG of this many bytes. */
export function drawsTo(bytes: number) {
  const drawImage = vi.fn()
  const context = { drawImage, fillRect: vi.fn() } as unknown as CanvasRenderingContext2D
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context)
  const url = `data:image/jpeg;base64,${btoa('x'.repeat(bytes))}`
  const toDataURL = vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue(url)
  return { drawImage, toDataURL, url }
}
