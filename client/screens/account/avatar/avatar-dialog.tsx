import Camera from 'lucide-react/icons/camera'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import type { User } from '#rules/members/account-snapshots'
import { AvatarChooser } from './avatar-chooser.tsx'

/** The avatar as a button that opens the dialog to change it. */
export function AvatarDialog({ user, children }: { user: User; children: ReactNode }) {
  const { t } = useTranslation('account')
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title={t('avatar.change')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={t('avatar.change')}
          className="relative rounded-full transition hover:brightness-125"
        >
          {children}
          <span className="absolute right-0 bottom-0 inline-flex size-8 items-center justify-center rounded-full border border-line-strong bg-sheet text-ink">
            <Camera aria-hidden="true" className="size-4" />
          </span>
        </button>
      }
    >
      <AvatarChooser avatar={user.avatar} onSaved={() => setOpen(false)} />
    </Dialog>
  )
}
