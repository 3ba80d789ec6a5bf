import type { CommandDefinition, Outcome } from '#client/commands/command-type.ts'
import { issueCommand } from '#client/commands/commands.ts'
import { call } from '#client/data/api.ts'
import { currentUser, setUser } from '#client/data/member-data.ts'
import { recheckUser } from '#client/data/refresh.ts'
import { i18n } from '#client/language/language.ts'
import { showError, showFailure, toast } from '#client/ui/toasts/toast.ts'
import type { BodyOf } from '#contract/routes'
import type { User } from '#rules/members/account-snapshots'

type Change = { kind: 'profile' | 'avatar'; body: BodyOf<'PATCH /api/user/profile'> }

export const profileDefinition: CommandDefinition<Change, User> = {
  name: 'profile',
  mutexKey: () => 'profile',
  send: ({ body }, idempotencyKey) => call('PATCH /api/user/profile', { body, idempotencyKey }),
  onDone(updated, { input: { kind }, late }) {
    // The first answer to a repeated request may be older than the cached user.
    if (late) recheckUser()
    else if (currentUser()?.id === updated.id) setUser(updated)
    toast({ title: i18n.t(`account:${kind}.done`) })
  },
  onRefused: (error, { input: { kind } }) => showFailure(i18n.t(`account:${kind}.failed`), error),
}

async function change(input: Change): Promise<Outcome<User>> {
  const outcome = await issueCommand(profileDefinition, input)
  if (outcome.state === 'ignored') {
    showError(i18n.t('account:profile.notSavedYet'), i18n.t('account:profile.waitOrUndo'))
  }
  return outcome
}

export type Profile = { username: string; email: string; fullName: string; phone: string }

/** Saves the whole profile, including the current avatar if there is one (Specification §7). */
export async function saveProfile(profile: Profile): Promise<User | null> {
  const avatar = currentUser()?.avatar
  const body = { ...profile, ...(avatar ? { avatar } : {}) }
  const outcome = await change({ kind: 'profile', body })
  return outcome.state === 'done' ? outcome.answer : null
}

/** Resolves to whether the avatar is saved, now or later; null means that none is chosen. */
export async function saveAvatar(avatar: string | null): Promise<boolean> {
  if (avatar === null) {
    showError(i18n.t('account:avatar.noneTitle'), i18n.t('account:avatar.none'))
    return false
  }
  const { state } = await change({ kind: 'avatar', body: { avatar } })
  return state === 'done' || state === 'waiting'
}
