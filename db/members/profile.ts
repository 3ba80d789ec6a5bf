import { imageSize } from 'image-size'
import type { Tx } from '#db/postgres/statements/transaction'
import { API_TEXTS } from '#rules/api-texts'
import { AVATAR_BYTES, AVATAR_PIXELS, presetOf } from '#rules/members/avatars'
import type { Language } from '#rules/members/languages'
import { RuleError } from '#rules/rule-error'
import type { MemberRow } from './members.ts'

/** Body of PATCH /api/user/profile; an absent field is not changed. */
type ProfileChange = {
  username?: string | undefined
  email?: string | undefined
  fullName?: string | null | undefined
  phone?: string | null | undefined
  avatar?: string | undefined
  language?: Language | undefined
}

const JPEG_URL = /^data:image\/jpeg;base64,([A-Za-z0-9+/]+={0,2})$/
const badInput = (message: string) => new RuleError('bad_input', message)

/**
 * Asserts that an avatar is a preset, or by its bytes a JPEG of at most 300 × 300 pixels and 100
 * KiB.
 * @throws {RuleError} `bad_input`
 */
function assertAvatar(avatar: string): void {
  if (presetOf(avatar)) return
  const bytes = Buffer.from(JPEG_URL.exec(avatar)?.[1] ?? '', 'base64')
  if (bytes.length === 0) throw badInput(API_TEXTS.avatarMissing)
  if (bytes.length > AVATAR_BYTES) throw badInput(API_TEXTS.avatarLarge)
  const size = jpegSize(bytes)
  if (!size) throw badInput(API_TEXTS.avatarFormat)
  if (size.width > AVATAR_PIXELS || size.height > AVATAR_PIXELS) {
    throw badInput(API_TEXTS.avatarPixels)
  }
}

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

/**
 * Changes the member's own profile.
 * @throws {RuleError} `bad_input` for a changed user name or e-mail address, or an invalid avatar
 */
export async function updateProfile(
  tx: Tx,
  memberId: number,
  { username, email, fullName, phone, avatar, language }: ProfileChange,
): Promise<MemberRow> {
  // Not `for update`, which would wait for idempotency keys: their foreign keys lock this row.
  const member: MemberRow = await tx('users').where({ id: memberId }).forNoKeyUpdate().first()
  if (username !== undefined && username !== member.username) {
    throw badInput(API_TEXTS.usernameFixed)
  }
  if (email !== undefined && email !== member.email) throw badInput(API_TEXTS.emailFixed)
  if (avatar !== undefined) assertAvatar(avatar)
  const changes = {
    ...(fullName === undefined ? {} : { fullName: fullName?.trim() || null }),
    ...(phone === undefined ? {} : { phone: phone?.trim() || null }),
    ...(avatar === undefined ? {} : { avatar }),
    ...(language === undefined ? {} : { language }),
  }
  if (Object.keys(changes).length === 0) return member
  const [updated] = await tx('users').where({ id: memberId }).update(changes).returning('*')
  return updated
}
