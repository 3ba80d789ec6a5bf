import type { Tx } from '#db/postgres/statements/transaction'
import { API_TEXTS } from '#rules/api-texts'
import { avatarHashIn } from '#rules/members/avatars'
import type { Language } from '#rules/members/languages'
import { RuleError } from '#rules/rule-error'
import { storeAvatar } from './avatar-files.ts'
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

const badInput = (message: string) => new RuleError('bad_input', message)

/** Changes the profile. @throws {RuleError} `bad_input` for a changed name or e-mail address, or a bad avatar */
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
  // The path of a file is what an earlier read answered, sent back with the rest of the profile.
  const isChosen = avatar !== undefined && avatarHashIn(avatar) === undefined
  const changes = {
    ...(fullName === undefined ? {} : { fullName: fullName?.trim() || null }),
    ...(phone === undefined ? {} : { phone: phone?.trim() || null }),
    ...(isChosen ? { avatar: await storeAvatar(tx, memberId, avatar) } : {}),
    ...(language === undefined ? {} : { language }),
  }
  if (Object.keys(changes).length === 0) return member
  const [updated] = await tx('users').where({ id: memberId }).update(changes).returning('*')
  return updated
}
