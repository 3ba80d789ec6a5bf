import { useTranslation } from 'react-i18next'
import { Badge } from '#client/ui/badge.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import type { User } from '#rules/members/account-snapshots'
import { AvatarDialog } from './avatar/avatar-dialog.tsx'

/** The picture, which opens the avatar dialog, the name, the e-mail and the referral code. */
export function AccountHeader({ user }: { user: User }) {
  const { t } = useTranslation('account')
  return (
    <header className="flex flex-col items-center text-center">
      <AvatarDialog user={user}>
        <Avatar name={user.username} image={user.avatar} className="size-24 text-2xl" />
      </AvatarDialog>
      <h1 className="mt-4 max-w-full text-xl">{user.fullName || user.username}</h1>
      <p className="mt-1 max-w-full text-sm text-muted">{user.email}</p>
      {user.referralCode && (
        <p className="mt-3">
          <Badge>
            {t('referralCode')} <span className="pl-1.5 font-mono">{user.referralCode}</span>
          </Badge>
        </p>
      )}
    </header>
  )
}
