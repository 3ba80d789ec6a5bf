import Camera from 'lucide-react/icons/camera'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import type { User } from '#rules/members/account-snapshots'

const AvatarDialog = lazyComponent(() => import('./avatar-dialog.tsx'), 'AvatarDialog')

/** Loaded before the press, so that the dialog opens at once. */
const preload = () => void AvatarDialog.preload()

/** The avatar as a button that opens the dialog to change it. */
export function ChangeAvatarButton({ user, children }: { user: User; children: ReactNode }) {
  const { t } = useTranslation('account')
  const [open, setOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label={t('avatar.change')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={({ currentTarget }) => {
          // Safari does not focus a button that is pressed; the dialog returns the focus to it.
          currentTarget.focus()
          setWasOpened(true)
          setOpen(true)
        }}
        className="relative rounded-full transition hover:brightness-125"
      >
        {children}
        <span className="absolute right-0 bottom-0 inline-flex size-8 items-center justify-center rounded-full border border-line-strong bg-sheet text-ink">
          <Camera className="size-4" />
        </span>
      </button>
      {wasOpened && (
        <Suspense fallback={null}>
          <AvatarDialog user={user} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
