import CameraOff from 'lucide-react/icons/camera-off'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { Spinner } from '#client/ui/loading.tsx'

type CameraDialogProps = {
  onOpenChange: (open: boolean) => void
  onPhoto: (photo: File) => void
}

/** Mounted while it is open. */
export function CameraDialog({ onOpenChange, onPhoto }: CameraDialogProps) {
  const { t } = useTranslation(['account', 'common'])
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
    <Dialog
      title={t('camera.take')}
      description={t('camera.note')}
      open
      onOpenChange={onOpenChange}
      readFirst
    >
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
          <div className="flex flex-col items-center gap-2 px-6 py-4 text-center text-sm">
            <CameraOff className="size-8 text-muted" strokeWidth={1.5} />
            <p className="font-medium">{t(`camera.${camera.state}`)}</p>
            <p className="text-muted">{t(`camera.${camera.state}Text`)}</p>
            <Button variant="secondary" className="mt-1" onClick={retry}>
              {t('common:tryAgain')}
            </Button>
          </div>
        )}
      </div>
      {photo ? (
        <div className="mt-4 grid grid-cols-2 gap-2">
          <Button variant="secondary" size="large" onClick={() => setPhoto(null)}>
            {t('camera.retake')}
          </Button>
          <Button
            size="large"
            onClick={() => {
              onOpenChange(false)
              onPhoto(photo.file)
            }}
          >
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
    </Dialog>
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

type CameraProblem = 'refused' | 'missing' | 'busy'
type Camera =
  | { state: 'starting' }
  | { state: 'live'; stream: MediaStream }
  | { state: CameraProblem }

/** Requested side of the picture, pixels; the avatar is far smaller. */
const SIDE = 720

const PROBLEMS: Record<string, CameraProblem> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
}

function problemOf(error: unknown): CameraProblem {
  return PROBLEMS[(error as DOMException).name] ?? 'busy'
}

const stop = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

/** Stops the tracks even if the stream arrives after `on` has ended, so that the light of the camera goes out. */
function useCamera(on: boolean): { camera: Camera; retry: () => void } {
  const [camera, setCamera] = useState<Camera>({ state: 'starting' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the camera again
  useEffect(() => {
    if (!on) return
    let closed = false
    let opened: MediaStream | undefined
    setCamera({ state: 'starting' })
    const open = async () => {
      try {
        const stream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: 'user', width: { ideal: SIDE }, height: { ideal: SIDE } },
        })
        if (closed) return stop(stream)
        opened = stream
        // An unplugged camera ends its track.
        stream.getVideoTracks()[0]?.addEventListener('ended', () => setCamera({ state: 'busy' }))
        setCamera({ state: 'live', stream })
      } catch (error) {
        if (!closed) setCamera({ state: problemOf(error) })
      }
    }
    void open()
    return () => {
      closed = true
      if (opened) stop(opened)
    }
  }, [on, attempt])
  return { camera, retry: () => setAttempt((count) => count + 1) }
}

async function captureFrame(video: HTMLVideoElement): Promise<File | null> {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg'))
  return blob && new File([blob], 'photo.jpg', { type: blob.type })
}
