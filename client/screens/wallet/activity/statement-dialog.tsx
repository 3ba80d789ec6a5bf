import FileDown from 'lucide-react/icons/file-down'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { ButtonDialog } from '#client/ui/dialogs/dialog.tsx'
import { Skeleton } from '#client/ui/loading.tsx'

const StatementForm = lazyComponent(() => import('./statement-form.tsx'), 'StatementForm')

/** The button that opens the download of a statement; the form is loaded with its first use. */
export function StatementDialog() {
  const { t } = useTranslation('wallet')
  return (
    <ButtonDialog
      label={t('statement.open')}
      title={t('statement.title')}
      description={t('statement.text')}
      icon={FileDown}
    >
      {(close) => (
        <Suspense fallback={<Skeleton className="h-64 rounded-panel" />}>
          <StatementForm onDone={close} />
        </Suspense>
      )}
    </ButtonDialog>
  )
}
