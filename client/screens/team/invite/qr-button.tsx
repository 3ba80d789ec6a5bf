import QrIcon from 'lucide-react/icons/qr-code'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonDialog } from '#client/ui/dialogs/button-dialog.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'

const QrCode = lazy(async () => ({
  default: (await import('#client/ui/pictures/qr-code.tsx')).QrCode,
}))

/** Opens a dialog with the referral link as a QR code; the encoder loads with the dialog. */
export function QrButton({ url, code }: { url: string; code: string }) {
  const { t } = useTranslation('team')
  return (
    <ButtonDialog
      label={t('qr.open')}
      title={t('qr.title')}
      description={t('qr.note')}
      icon={QrIcon}
    >
      <div className="mx-auto aspect-square max-w-72">
        <Suspense fallback={<Skeleton className="size-full rounded-control" />}>
          <QrCode text={url} label={t('qr.name')} />
        </Suspense>
      </div>
      <p className="mt-4 text-center font-mono text-lg">{code}</p>
    </ButtonDialog>
  )
}
