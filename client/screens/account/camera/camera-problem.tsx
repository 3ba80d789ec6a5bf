import CameraOff from 'lucide-react/icons/camera-off'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import type { CameraProblem } from './use-camera.ts'

/** Why there is no live picture, and what to do. */
export function CameraProblemNote({
  problem,
  onRetry,
}: {
  problem: CameraProblem
  onRetry: () => void
}) {
  const { t } = useTranslation('account')
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-4 text-center text-sm">
      <CameraOff aria-hidden="true" className="size-8 text-muted" strokeWidth={1.5} />
      <p className="font-medium">{t(`camera.${problem}`)}</p>
      <p className="text-muted">{t(`camera.${problem}Text`)}</p>
      <Button variant="secondary" className="mt-1" onClick={onRetry}>
        {t('camera.tryAgain')}
      </Button>
    </div>
  )
}
