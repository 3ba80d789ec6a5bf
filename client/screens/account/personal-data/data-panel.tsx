import { useTranslation } from 'react-i18next'
import { TitledPanel } from '#client/ui/panel.tsx'
import type { User } from '#rules/members/account-snapshots'
import { DeleteDialog } from './delete-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'

/** Lets a member download or delete their data. */
export function DataPanel({ user }: { user: User }) {
  const { t } = useTranslation('account')
  return (
    <TitledPanel titleId="data-title" title={t('data.title')}>
      <p className="mt-1 text-sm text-muted">{t('data.text')}</p>
      <div className="mt-4 grid gap-2 sm:grid-cols-2">
        <ExportDialog user={user} />
        <DeleteDialog user={user} />
      </div>
    </TitledPanel>
  )
}
