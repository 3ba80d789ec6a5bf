import { FileDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'

const StatementForm = lazy(() =>
  import('./statement-form.tsx').then((module) => ({ default: module.StatementForm })),
)

/** The button that opens the download of a statement; the form is loaded with its first use. */
export function StatementDialog() {
  const { t } = useTranslation('wallet')
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title={t('statement.title')}
      description={t('statement.text')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary">
          <FileDown aria-hidden="true" className="size-4" />
          {t('statement.open')}
        </Button>
      }
    >
      <Suspense fallback={<Skeleton className="h-64 rounded-panel" />}>
        <StatementForm onDone={() => setOpen(false)} />
      </Suspense>
    </Dialog>
  )
}
