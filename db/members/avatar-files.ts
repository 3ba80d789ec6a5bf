import { createHash } from 'node:crypto'
import { imageSize } from 'image-size'
import type { Db, Tx } from '#db/postgres/statements/transaction'
import { API_TEXTS } from '#rules/api-texts'
import { AVATAR_BYTES, AVATAR_PIXELS, avatarPath, presetOf } from '#rules/members/avatars'
import { RuleError } from '#rules/rule-error'

const JPEG_URL = /^data:image\/jpeg;base64,([A-Za-z0-9+/]+={0,2})$/
const badInput = (message: string) => new RuleError('bad_input', message)

function jpegSize(bytes: Buffer): { width: number; height: number } | undefined {
  const starts = bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))
  const ends = bytes.subarray(-2).equals(Buffer.from([0xff, 0xd9]))
  if (!starts || !ends) return undefined
  try {
    const { width, height, type } = imageSize(bytes)
    return type === 'jpg' && width > 0 && height > 0 ? { width, height } : undefined
  } catch {
    return undefined
  }
}

function jpegOf(dataUrl: string): Buffer {
  const bytes = Buffer.from(JPEG_URL.exec(dataUrl)?.[1] ?? '', 'base64')
  if (bytes.length === 0) throw badInput(API_TEXTS.avatarMissing)
  if (bytes.length > AVATAR_BYTES) throw badInput(API_TEXTS.avatarLarge)
  const size = jpegSize(bytes)
  if (!size) throw badInput(API_TEXTS.avatarFormat)
  if (size.width > AVATAR_PIXELS || size.height > AVATAR_PIXELS) {
    throw badInput(API_TEXTS.avatarPixels)
  }
  return bytes
}

/**
 * Stores a preset or an uploaded JPEG (a data URL) as the avatar; the caller holds the lock of the member's row.
 * @returns the value of `users.avatar`: the preset, or the path of the file
 * @throws {RuleError} `bad_input`
 */
export async function storeAvatar(tx: Tx, memberId: number, avatar: string): Promise<string> {
  if (presetOf(avatar)) {
    await tx('avatars').where({ userId: memberId }).delete()
    return avatar
  }
  const bytes = jpegOf(avatar)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const row = { userId: memberId, hash, bytes, createdAt: tx.fn.now() }
  await tx('avatars').insert(row).onConflict('userId').merge()
  return avatarPath(hash)
}

/** The bytes of an uploaded avatar; undefined if no member has it. */
export async function readAvatar(db: Db, hash: string): Promise<Buffer | undefined> {
  const row = await db('avatars').where({ hash }).first('bytes')
  return row?.bytes
}
