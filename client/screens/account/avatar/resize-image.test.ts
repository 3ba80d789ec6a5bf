import { afterEach, describe, expect, it, vi } from 'vitest'
import { decodesTo, drawsTo, failsToDecode } from '#client/screens/testing/fake-canvas.ts'
import { AVATAR_BYTES } from '#rules/members/avatars'
import { bytesOf, fitSize, ImageTooLarge, resizeImage } from './resize-image.ts'

const file = new Blob(['an image'])

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('avatar size', () => {
  it.each([
    [3000, 2000, 300, 200],
    [2000, 3000, 200, 300],
    [300, 300, 300, 300],
    [301, 301, 300, 300],
    [120, 40, 120, 40],
    [9000, 1, 300, 1],
  ])('an image of %i × %i pixels is resized to %i × %i', (width, height, newWidth, newHeight) => {
    expect(fitSize(width, height)).toEqual({ width: newWidth, height: newHeight })
  })
})

it.each([0, 1, 2, 3, 100, 102_400])('the size of a data URL of %i bytes is measured', (bytes) => {
  expect(bytesOf(`data:image/jpeg;base64,${btoa('x'.repeat(bytes))}`)).toBe(bytes)
})

describe('resized images', () => {
  it('a resized image is a JPEG of quality 0.7 that fits the square', async () => {
    const { close } = decodesTo(1200, 900)
    const { drawImage, toDataURL, url } = drawsTo(9_000)
    expect(await resizeImage(file)).toEqual({ url, width: 300, height: 225, bytes: 9_000 })
    expect(drawImage).toHaveBeenCalledWith(expect.anything(), 0, 0, 300, 225)
    expect(toDataURL).toHaveBeenCalledWith('image/jpeg', 0.7)
    expect(close).toHaveBeenCalledOnce()
  })

  it('images above 100 KiB are rejected', async () => {
    decodesTo(300, 300)
    drawsTo(AVATAR_BYTES)
    await expect(resizeImage(file)).resolves.toMatchObject({ bytes: AVATAR_BYTES })
    drawsTo(AVATAR_BYTES + 1)
    await expect(resizeImage(file)).rejects.toBeInstanceOf(ImageTooLarge)
  })

  it('resizing fails without a canvas context and releases the bitmap', async () => {
    const { close } = decodesTo(300, 300)
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
    await expect(resizeImage(file)).rejects.toThrow('Could not get canvas context')
    expect(close).toHaveBeenCalledOnce()
  })

  it('a file that is not an image is rejected', async () => {
    failsToDecode()
    await expect(resizeImage(file)).rejects.toThrow('could not be decoded')
  })
})
