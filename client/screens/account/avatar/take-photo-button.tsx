import Camera from 'lucide-react/icons/camera'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { FileButton } from '#client/ui/forms/file-button.tsx'

// Nothing else here may import this file, or the page of the account would load it at once.
const CameraDialog = lazyComponent(() => import('./camera-dialog.tsx'), 'CameraDialog')

/** Phones and tablets have a camera app, which `capture` opens; a computer shows its file dialog. */
const hasCameraApp = () => matchMedia('(pointer: coarse)').matches

/** Whether a page may ask for a camera: only secure origins may, and some browsers never do. */
const canAskForCamera = (): boolean => Boolean(navigator.mediaDevices?.getUserMedia)

type TakePhotoButtonProps = { disabled: boolean; onPhoto: (photo: File) => void }

/** Takes a photo with the camera app of a phone, or in a dialog on a computer. */
export function TakePhotoButton({ disabled, onPhoto }: TakePhotoButtonProps) {
  const { t } = useTranslation('account')
  const [open, setOpen] = useState(false)
  if (hasCameraApp() || !canAskForCamera()) {
    return (
      <FileButton
        label={t('camera.take')}
        variant="secondary"
        accept="image/*"
        capture="user"
        disabled={disabled}
        icon={Camera}
        onFile={onPhoto}
      />
    )
  }
  return (
    <>
      <Button variant="secondary" icon={Camera} disabled={disabled} onClick={() => setOpen(true)}>
        {t('camera.take')}
      </Button>
      {open && (
        <Suspense>
          <CameraDialog open onOpenChange={setOpen} onPhoto={onPhoto} />
        </Suspense>
      )}
    </>
  )
}
