import { useAtomValue } from 'jotai'
import LogOut from 'lucide-react/icons/log-out'
import { useTranslation } from 'react-i18next'
import { LoadFailed } from '#client/screens/account/load-failed.tsx'
import { PasswordDialog } from '#client/screens/account/personal-data/password-dialog.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { LoadingNote } from '#client/ui/states/loading-note.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import type { User } from '#rules/members/account-snapshots'
import { ChangePasswordDialog } from './change-password-dialog.tsx'
import { endOtherSignIns } from './sign-in-commands.ts'
import { SignInRow } from './sign-in-row.tsx'
import { refreshSignIns, signInsAtom } from './sign-ins.ts'

/** Lists where the member is signed in, ends other sign-ins and changes the password. */
export function SignInsPanel({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const { data } = useAtomValue(signInsAtom)
  const hasOthers = data?.signIns.some(({ current }) => !current) ?? false
  return (
    <TitledPanel titleId="sign-ins-title" title={t('signIns.title')}>
      <p className="mt-1 text-sm text-muted">{t('signIns.text')}</p>
      <SignIns username={user.username} />
      <div className="mt-2 grid gap-2 sm:grid-cols-2">
        <ChangePasswordDialog user={user} />
        <PasswordDialog
          title={t('signIns.signOutOthers')}
          description={t('signIns.onlyHere')}
          username={user.username}
          confirm={t('signIns.signOut')}
          act={(password) => endOtherSignIns({ password })}
          trigger={
            <Button variant="destructive" disabled={!hasOthers}>
              <LogOut aria-hidden="true" className="size-4" />
              {t('signIns.signOutOthers')}
            </Button>
          }
        />
      </div>
    </TitledPanel>
  )
}

/** The list itself, or what stands for it while it loads or after it failed. */
function SignIns({ username }: { username: string }) {
  const { t } = useTranslation('account')
  const { data, isError, isFetching } = useAtomValue(signInsAtom)
  if (data) {
    return (
      <ul className="mt-4">
        {data.signIns.map((signIn) => (
          <SignInRow key={signIn.id} signIn={signIn} username={username} />
        ))}
      </ul>
    )
  }
  if (!isError) {
    return (
      <>
        <LoadingNote />
        <Skeleton className="mt-4 h-16.75" />
      </>
    )
  }
  return (
    <LoadFailed
      text={t('signIns.loadFailed')}
      busy={isFetching}
      onRetry={() => void refreshSignIns()}
    />
  )
}
