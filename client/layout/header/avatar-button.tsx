import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import type { User } from '#rules/members/account-snapshots'

export function AvatarButton({ user, ...rest }: ComponentProps<'button'> & { user: User }) {
  const { t } = useTranslation('layout')
  return (
    <button
      type="button"
      aria-label={t('menu', { username: user.username })}
      className="inline-flex size-11 shrink-0 items-center justify-center rounded-full transition hover:brightness-125"
      {...rest}
    >
      <Avatar name={user.username} image={user.avatar} />
    </button>
  )
}
