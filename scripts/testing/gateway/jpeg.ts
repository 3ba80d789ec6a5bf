/** The headers and the end marker of a JPEG of that size in pixels. */
export function jpeg(width: number, height: number, padding = 0): Buffer {
  const start = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')
  const frame = Buffer.from('ffc000110800000000030111000211000311010', 'hex')
  const full = Buffer.concat([frame, Buffer.alloc(19 - frame.length)])
  full.writeUInt16BE(height, 5)
  full.writeUInt16BE(width, 7)
  return Buffer.concat([start, full, Buffer.alloc(padding), Buffer.from('ffd9', 'hex')])
}
/** An image as a client uploads it. */
export const dataUrl = (bytes: Buffer, type = 'image/jpeg') =>
  `data:${type};base64,${bytes.toString('base64')}`
