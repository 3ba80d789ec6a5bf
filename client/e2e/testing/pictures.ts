import { Buffer } from 'node:buffer'
import type { Page } from 'playwright-core'

export type PictureFile = { name: string; mimeType: string; buffer: Buffer }

const DRAW = `({ width, height, type }) => {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  const colours = context.createLinearGradient(0, 0, width, height)
  colours.addColorStop(0, 'teal')
  colours.addColorStop(1, 'orange')
  context.fillStyle = colours
  context.fillRect(0, 0, width, height)
  return canvas.toDataURL(type).split(',')[1]
}`

/** A real image file of that size, as a member would choose it. */
export async function pictureFile(
  page: Page,
  name: string,
  mimeType: 'image/png' | 'image/jpeg',
  [width, height]: [number, number],
): Promise<PictureFile> {
  const wanted = JSON.stringify({ width, height, type: mimeType })
  const base64 = await page.evaluate<string>(`(${DRAW})(${wanted})`)
  return { name, mimeType, buffer: Buffer.from(base64, 'base64') }
}
