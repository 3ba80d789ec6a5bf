import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { Spinner } from '#client/ui/states/spinner.tsx'
import { CameraProblemNote } from './camera-problem.tsx'
import { captureFrame } from './capture-frame.ts'
import { useCamera } from './use-camera.ts'

export type CameraDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  onPhoto: (photo: File) => void
}

/** Takes a photo with the camera of a computer. */
export function CameraDialog({ open, onOpenChange, onPhoto }: CameraDialogProps) {
  const { t } = useTranslation('account')
  return (
    <Dialog
      title={t('camera.take')}
      description={t('camera.note')}
      open={open}
      onOpenChange={onOpenChange}
      readFirst
    >
      <Viewfinder
        onPhoto={(photo) => {
          onOpenChange(false)
          onPhoto(photo)
        }}
      />
    </Dialog>
  )
}

/** The live picture, then the photo; the camera is off while the photo is shown. */
function Viewfinder({ onPhoto }: { onPhoto: (photo: File) => void }) {
  const { t } = useTranslation('account')
  const [photo, setPhoto] = useState<{ file: File; url: string } | null>(null)
  const [ready, setReady] = useState(false)
  const video = useRef<HTMLVideoElement>(null)
  const { camera, retry } = useCamera(photo === null)
  useEffect(() => {
    if (photo) return () => URL.revokeObjectURL(photo.url)
  }, [photo])

  async function capture() {
    const file = video.current && (await captureFrame(video.current))
    if (file) setPhoto({ file, url: URL.createObjectURL(file) })
    else retry()
  }

  return (
    <>
      <div
        aria-live="polite"
        className="flex aspect-square w-full items-center justify-center overflow-hidden rounded-panel border border-line-strong bg-raised"
      >
        {photo ? (
          <img src={photo.url} alt={t('camera.photo')} className="size-full object-cover" />
        ) : camera.state === 'starting' ? (
          <Spinner label={t('camera.starting')} className="size-8" />
        ) : camera.state === 'live' ? (
          <LiveVideo video={video} stream={camera.stream} onReady={setReady} />
        ) : (
          <CameraProblemNote problem={camera.state} onRetry={retry} />
        )}
      </div>
      {photo ? (
        <div className="mt-4 grid grid-cols-2 gap-2">
          <Button variant="secondary" size="large" onClick={() => setPhoto(null)}>
            {t('camera.retake')}
          </Button>
          <Button size="large" onClick={() => onPhoto(photo.file)}>
            {t('camera.use')}
          </Button>
        </div>
      ) : (
        <Button
          size="large"
          className="mt-4 w-full"
          disabled={camera.state !== 'live' || !ready}
          onClick={() => void capture()}
        >
          {t('camera.capture')}
        </Button>
      )}
    </>
  )
}

type LiveVideoProps = {
  video: RefObject<HTMLVideoElement | null>
  stream: MediaStream
  onReady: (ready: boolean) => void
}

/** Mirrored, as members expect of their own picture; the photo is not. */
function LiveVideo({ video, stream, onReady }: LiveVideoProps) {
  const { t } = useTranslation('account')
  useEffect(() => {
    if (video.current) video.current.srcObject = stream
    return () => onReady(false)
  }, [video, stream, onReady])
  return (
    <video
      ref={video}
      autoPlay
      muted
      playsInline
      aria-label={t('camera.live')}
      onLoadedData={() => onReady(true)}
      className="size-full -scale-x-100 object-cover"
    />
  )
}
