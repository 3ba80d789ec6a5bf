import { QrCode as QrIcon } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }))

/** Opens a dialog with the referral link as a QR code; the encoder loads with the dialog. */
export function QrButton({ url, code }: { url: string; code: string }) {
  const { t } = useTranslation('team')
  return (
    <Dialog
      title={t('qr.title')}
      description={t('qr.note')}
      trigger={
        <Button variant="secondary">
          <QrIcon aria-hidden="true" className="size-4" />
          {t('qr.open')}
        </Button>
      }
    >
      <div className="mx-auto aspect-square max-w-72">
        <Suspense fallback={<Skeleton className="size-full rounded-control" />}>
          <QrCode text={url} label={t('qr.name')} />
        </Suspense>
      </div>
      <p className="mt-4 text-center font-mono text-lg">{code}</p>
    </Dialog>
  )
}
