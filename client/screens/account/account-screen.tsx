import { useAtomValue } from 'jotai'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { isKycOpenAtom } from '#client/data/app-info.ts'
import { userAtom } from '#client/data/member-data.ts'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { whenIdle } from '#client/first-load/when-idle.ts'
import { Badge } from '#client/ui/badge.tsx'
import { LoadingNote, Skeleton } from '#client/ui/loading.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import type { User } from '#rules/members/account-snapshots'
import { AvatarDialog } from './avatar/avatar-dialog.tsx'
import { DataPanel } from './data-panel.tsx'
import { FactorsPanel } from './factors/factors-panel.tsx'
import { ProfileForm } from './profile-form.tsx'
import { RemindersPanel } from './reminders-panel.tsx'
import { SignInsPanel } from './sign-ins-panel.tsx'

/** Behind a tab that is closed at first, and that most products do not have. */
const KycPanel = lazyComponent(() => import('./identity/kyc-panel.tsx'), 'KycPanel')

const kycWaiting = (
  <>
    <LoadingNote />
    <Skeleton className="h-80 rounded-panel" />
  </>
)

export function AccountScreen() {
  const { t } = useTranslation('account')
  const { data: user } = useAtomValue(userAtom)
  const isKycOpen = useAtomValue(isKycOpenAtom)
  const [tab, setTab] = useState('profile')
  const isShell = useIsShell()
  useEffect(() => {
    if (isKycOpen) void whenIdle().then(KycPanel.preload)
  }, [isKycOpen])
  if (!user) return null
  if (isShell) return <AccountWaiting user={user} />
  return (
    <div className="flex flex-col gap-6">
      <AccountHeader user={user} />
      <Tabs
        value={isKycOpen ? tab : 'profile'}
        onValueChange={setTab}
        className="flex flex-col gap-4"
      >
        <TabsList aria-label={t('label')} className={isKycOpen ? undefined : 'self-start'}>
          <TabsTrigger value="profile">{t('profileTab')}</TabsTrigger>
          {isKycOpen && <TabsTrigger value="kyc">{t('kycTab')}</TabsTrigger>}
        </TabsList>
        <TabsContent value="profile" tabIndex={-1}>
          <Panel aria-label={t('profileTab')}>
            <ProfileForm key={user.id} user={user} />
          </Panel>
        </TabsContent>
        {isKycOpen && (
          <TabsContent value="kyc" tabIndex={-1}>
            <Suspense fallback={kycWaiting}>
              <KycPanel user={user} />
            </Suspense>
          </TabsContent>
        )}
      </Tabs>
      <RemindersPanel user={user} />
      <SignInsPanel user={user} />
      <FactorsPanel user={user} />
      <DataPanel user={user} />
    </div>
  )
}

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

/** The shell of the screen: who the member is, and the place of the forms. */
export function AccountWaiting({ user }: { user: User }) {
  return (
    <div className="flex flex-col gap-6">
      <AccountHeader user={user} />
      <LoadingNote />
      <div className="flex flex-col gap-4">
        <Skeleton className="h-13.5 w-17 rounded-control" />
        <Skeleton className="h-120 rounded-panel" />
      </div>
      <Skeleton className="h-64 rounded-panel" />
    </div>
  )
}

const neverChanges = () => () => {}

/**
 * Whether the build renders the shell of a screen: nothing in it works before the client replaces it,
 * so it shows no field that could be filled in.
 */
export function useIsShell(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  )
}
