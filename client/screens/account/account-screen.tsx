import { useAtomValue } from 'jotai'
import Camera from 'lucide-react/icons/camera'
import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearch } from 'wouter'
import { userAtom } from '#client/data/member-data.ts'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { useViewChange } from '#client/layout/view.tsx'
import { Badge } from '#client/ui/badge.tsx'
import { LoadingNote, Skeleton } from '#client/ui/loading.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import type { User } from '#rules/members/account-snapshots'
import { AccountRows, AccountViewScreen, AccountViewWaiting } from './account-view.tsx'
import { ProfileForm } from './profile-form.tsx'
import { viewOf } from './views.ts'

const AvatarDialog = lazyComponent(() => import('./avatar/avatar-dialog.tsx'), 'AvatarDialog')

const neverChanges = () => () => {}

export function AccountScreen() {
  const { t } = useTranslation(['account', 'layout'])
  const { data: user } = useAtomValue(userAtom)
  const view = viewOf(useSearch())
  // The view that was open last; its row takes the focus when the member returns.
  const [left, setLeft] = useState(view)
  if (view && view !== left) setLeft(view)
  useViewChange('/account', view, t(view ? `views.${view}.title` : 'layout:titles./account'))
  // The prerendered shell shows no field: nothing could be filled in before the client replaces it.
  const isShell = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  )
  if (!user) return null
  if (view) {
    return isShell ? <AccountViewWaiting /> : <AccountViewScreen user={user} view={view} />
  }
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-col items-center text-center">
        <ChangeAvatarButton user={user} />
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
      {isShell ? (
        <>
          <LoadingNote />
          <div className="flex flex-col gap-4">
            <Skeleton className="h-13.5 w-17 rounded-control" />
            <Skeleton className="h-120 rounded-panel" />
          </div>
          <Skeleton className="h-64 rounded-panel" />
        </>
      ) : (
        <>
          <Tabs value="profile" className="flex flex-col gap-4">
            <TabsList aria-label={t('layout:titles./account')} className="self-start">
              <TabsTrigger value="profile">{t('profileTab')}</TabsTrigger>
            </TabsList>
            <TabsContent value="profile" tabIndex={-1}>
              <Panel aria-label={t('profileTab')}>
                <ProfileForm key={user.id} user={user} />
              </Panel>
            </TabsContent>
          </Tabs>
          <AccountRows user={user} left={left} />
        </>
      )}
    </div>
  )
}

const preload = () => void AvatarDialog.preload()

export function ChangeAvatarButton({ user }: { user: User }) {
  const { t } = useTranslation('account')
  /** Undefined before the dialog was opened. */
  const [open, setOpen] = useState<boolean>()
  return (
    <>
      <button
        type="button"
        aria-label={t('avatar.change')}
        aria-haspopup="dialog"
        aria-expanded={open ?? false}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={({ currentTarget }) => {
          // Safari does not focus a button that is pressed; the dialog returns the focus to it.
          currentTarget.focus()
          setOpen(true)
        }}
        className="relative rounded-full transition hover:brightness-125"
      >
        <Avatar name={user.username} image={user.avatar} className="size-24 text-2xl" />
        <span className="absolute right-0 bottom-0 inline-flex size-8 items-center justify-center rounded-full border border-line-strong bg-sheet text-ink">
          <Camera className="size-4" />
        </span>
      </button>
      {open !== undefined && (
        <AvatarDialog user={user} open={open} onOpenChange={setOpen} fallback={null} />
      )}
    </>
  )
}
