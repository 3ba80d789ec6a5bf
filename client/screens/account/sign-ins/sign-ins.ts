import { call } from '#client/data/api.ts'
import { memberQuery, refresh } from '#client/data/member-data.ts'
import type { MemberSignIn } from '#rules/members/account-snapshots'

const SIGN_INS_URL = '/api/user/sign-ins'

/** The sign-ins of the member, newest first, read each time the screen opens. */
export const signInsAtom = memberQuery<{ signIns: MemberSignIn[] }>(
  SIGN_INS_URL,
  () => call('GET /api/user/sign-ins'),
  { staleTime: 0 },
)

/** Reads the list again. */
export const refreshSignIns = () => refresh(SIGN_INS_URL)
