import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AVATAR_BYTES } from '#rules/avatars'
import { bytesOf, fitted, ImageTooLarge, resizeImage } from './resize-image.ts'

const file = new Blob(['an image'])
const close = vi.fn()

const decodesTo = (width: number, height: number) =>
  vi.stubGlobal('createImageBitmap', async () => ({ width, height, close }))

/** A canvas that draws nothing and exports that many bytes. */
function drawsTo(bytes: number) {
  const drawImage = vi.fn()
  const context = { drawImage, fillRect: vi.fn() } as unknown as CanvasRenderingContext2D
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context)
  const url = `data:image/jpeg;base64,${btoa('x'.repeat(bytes))}`
  const toDataURL = vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue(url)
  return { drawImage, toDataURL, url }
}

beforeEach(() => close.mockClear())
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the size of an avatar', () => {
  it.each([
    [3000, 2000, 300, 200],
    [2000, 3000, 200, 300],
    [300, 300, 300, 300],
    [301, 301, 300, 300],
    [120, 40, 120, 40],
    [9000, 1, 300, 1],
  ])('makes of %i × %i pixels %i × %i', (width, height, newWidth, newHeight) => {
    expect(fitted(width, height)).toEqual({ width: newWidth, height: newHeight })
  })
})

it.each([0, 1, 2, 3, 100, 102_400])('counts %i bytes behind a data URL', (bytes) => {
  expect(bytesOf(`data:image/jpeg;base64,${btoa('x'.repeat(bytes))}`)).toBe(bytes)
})

describe('a resized image', () => {
  it('is a JPEG of quality 0.7 that fits the square', async () => {
    decodesTo(1200, 900)
    const { drawImage, toDataURL, url } = drawsTo(9_000)
    expect(await resizeImage(file)).toEqual({ url, width: 300, height: 225, bytes: 9_000 })
    expect(drawImage).toHaveBeenCalledWith(expect.anything(), 0, 0, 300, 225)
    expect(toDataURL).toHaveBeenCalledWith('image/jpeg', 0.7)
    expect(close).toHaveBeenCalledOnce()
  })

  it('may have 100 KiB and no byte more', async () => {
    decodesTo(300, 300)
    drawsTo(AVATAR_BYTES)
    await expect(resizeImage(file)).resolves.toMatchObject({ bytes: AVATAR_BYTES })
    drawsTo(AVATAR_BYTES + 1)
    await expect(resizeImage(file)).rejects.toBeInstanceOf(ImageTooLarge)
  })

  it('needs a surface to draw on', async () => {
    decodesTo(300, 300)
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
    await expect(resizeImage(file)).rejects.toThrow('Could not get canvas context')
    expect(close).toHaveBeenCalledOnce()
  })

  it('cannot be made of what is no image', async () => {
    vi.stubGlobal('createImageBitmap', async () => {
      throw new DOMException('The source image could not be decoded')
    })
    await expect(resizeImage(file)).rejects.toThrow('could not be decoded')
  })
})
