import { useAtomValue } from 'jotai'
import { LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import type { User } from '#rules/snapshots'
import { ChangePasswordDialog } from './change-password-dialog.tsx'
import { endOtherSignIns } from './sign-in-commands.ts'
import { SignInRow } from './sign-in-row.tsx'
import { refreshSignIns, signInsAtom } from './sign-ins.ts'
import { SignOutDialog } from './sign-out-dialog.tsx'

/** Lists where the member is signed in, ends other sign-ins and changes the password. */
export function SignInsPanel({ user }: { user: User }) {
  const { t } = useTranslation('account')
  const { data } = useAtomValue(signInsAtom)
  const hasOthers = data?.signIns.some(({ current }) => !current) ?? false
  return (
    <Panel aria-labelledby="sign-ins-title">
      <h2 id="sign-ins-title" className="text-base">
        {t('signIns.title')}
      </h2>
      <p className="mt-1 text-sm text-muted">{t('signIns.text')}</p>
      <SignIns username={user.username} />
      <div className="mt-2 grid gap-2 sm:grid-cols-2">
        <ChangePasswordDialog user={user} />
        <SignOutDialog
          title={t('signIns.signOutOthers')}
          description={t('signIns.onlyHere')}
          username={user.username}
          end={(password) => endOtherSignIns({ password })}
          trigger={
            <Button variant="destructive" disabled={!hasOthers}>
              <LogOut aria-hidden="true" className="size-4" />
              {t('signIns.signOutOthers')}
            </Button>
          }
        />
      </div>
    </Panel>
  )
}

/** The list itself, or what stands for it while it loads or after it failed. */
function SignIns({ username }: { username: string }) {
  const { t } = useTranslation(['account', 'common'])
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
  if (!isError) return <Skeleton className="my-4 h-12" />
  return (
    <div className="mt-4 flex items-center justify-between gap-3 border-t border-line py-3 text-sm">
      <p className="text-muted">{t('signIns.loadFailed')}</p>
      <Button variant="secondary" busy={isFetching} onClick={() => void refreshSignIns()}>
        {t('common:tryAgain')}
      </Button>
    </div>
  )
}
