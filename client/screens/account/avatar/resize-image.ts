import { AVATAR_BYTES, AVATAR_PIXELS, AVATAR_QUALITY } from '#rules/members/avatars'

export type ResizedImage = { url: string; width: number; height: number; bytes: number }

export class ImageTooLarge extends Error {}

/** Size in pixels that fits into the square of an avatar; never enlarges. */
export function fitSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, AVATAR_PIXELS / width, AVATAR_PIXELS / height)
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

/** Bytes encoded by a base64 data URL. */
export function bytesOf(url: string): number {
  const base64 = url.slice(url.indexOf(',') + 1)
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}

/** Re-encodes an image as a small JPEG (Specification §5). @throws {ImageTooLarge} if it is above 100 KiB */
export async function resizeImage(file: Blob): Promise<ResizedImage> {
  const image = await createImageBitmap(file)
  try {
    const { width, height } = fitSize(image.width, image.height)
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d')
    if (!context) throw new Error('Could not get canvas context')
    // JPEG has no transparency: transparent pixels would become black.
    context.fillStyle = 'white'
    context.fillRect(0, 0, width, height)
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, width, height)
    const url = canvas.toDataURL('image/jpeg', AVATAR_QUALITY)
    const bytes = bytesOf(url)
    if (bytes > AVATAR_BYTES) throw new ImageTooLarge('The image is above 100 KiB')
    return { url, width, height, bytes }
  } finally {
    image.close()
  }
}
