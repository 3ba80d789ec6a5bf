import Camera from 'lucide-react/icons/camera'
import Check from 'lucide-react/icons/check'
import ImageUp from 'lucide-react/icons/image-up'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { saveAvatar } from '#client/screens/account/profile-commands.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { FileButton } from '#client/ui/forms/file-button.tsx'
import { Spinner } from '#client/ui/loading.tsx'
import { PresetPicture } from '#client/ui/pictures/preset-picture.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#client/ui/tabs.tsx'
import { clearToast, showError } from '#client/ui/toasts/toast.ts'
import type { User } from '#rules/members/account-snapshots'
import { AVATAR_PRESETS, presetOf } from '#rules/members/avatars'
import { ImageTooLarge, type ResizedImage, resizeImage } from './resize-image.ts'

// Nothing else here may import this file, or the page of the account would load it at once.
const CameraDialog = lazyComponent(() => import('./camera-dialog.tsx'), 'CameraDialog')

type AvatarDialogProps = { user: User; open: boolean; onOpenChange: (open: boolean) => void }

export function AvatarDialog({ user, open, onOpenChange }: AvatarDialogProps) {
  const { t } = useTranslation('account')
  return (
    <Dialog title={t('avatar.change')} open={open} onOpenChange={onOpenChange}>
      <AvatarChooser avatar={user.avatar} onSaved={() => onOpenChange(false)} />
    </Dialog>
  )
}

function AvatarChooser({ avatar, onSaved }: { avatar: string | null; onSaved: () => void }) {
  const { t } = useTranslation('account')
  const group = useId()
  const [mode, setMode] = useState('choose')
  const [preset, setPreset] = useState(() => presetOf(avatar ?? ''))
  const [image, setImage] = useState<ResizedImage | null>(null)

  async function save() {
    const chosen = mode === 'upload' ? image?.url : preset && `preset:${preset}`
    if (await saveAvatar(chosen ?? null)) onSaved()
  }

  return (
    <>
      <Tabs value={mode} onValueChange={setMode}>
        <TabsList aria-label={t('avatar.ways')}>
          <TabsTrigger value="choose">{t('avatar.choose')}</TabsTrigger>
          <TabsTrigger value="upload">{t('avatar.upload')}</TabsTrigger>
        </TabsList>
        <TabsContent value="choose" tabIndex={-1} className="pt-5">
          <div
            role="radiogroup"
            aria-label={t('avatar.presets')}
            className="grid grid-cols-3 justify-items-center gap-x-2 gap-y-3"
          >
            {AVATAR_PRESETS.map((one) => (
              <span key={one} className="relative">
                <input
                  type="radio"
                  name={group}
                  value={one}
                  checked={one === preset}
                  onChange={() => setPreset(one)}
                  aria-label={t(`avatar.preset.${one}`)}
                  className="peer absolute inset-0 z-10 size-full cursor-pointer appearance-none rounded-full"
                />
                <span className="block rounded-full border-2 border-transparent p-1 transition peer-checked:border-mint peer-hover:brightness-115">
                  {/* A third of the dialog with large text or on a small phone: the pictures must not overlap. */}
                  <PresetPicture
                    name={one}
                    className="size-[min(5rem,calc((100cqi-1rem)/3-0.5rem-4px))] rounded-full"
                  />
                </span>
                <span className="absolute right-0 bottom-0 hidden size-6 items-center justify-center rounded-full bg-mint text-on-mint peer-checked:inline-flex">
                  <Check className="size-4" strokeWidth={3} />
                </span>
              </span>
            ))}
          </div>
        </TabsContent>
        <TabsContent value="upload" tabIndex={-1} className="pt-5">
          <AvatarUpload image={image} onImage={setImage} />
        </TabsContent>
      </Tabs>
      <Button
        size="large"
        disabled={mode === 'upload' && image === null}
        onPress={save}
        className="mt-5 w-full"
      >
        {t('save')}
      </Button>
    </>
  )
}

type AvatarUploadProps = {
  image: ResizedImage | null
  onImage: (image: ResizedImage) => void
}

function AvatarUpload({ image, onImage }: AvatarUploadProps) {
  const { t } = useTranslation('account')
  const [busy, setBusy] = useState(false)

  async function take(file: File) {
    // A toast about an earlier file does not apply to this one.
    clearToast()
    setBusy(true)
    try {
      onImage(await resizeImage(file))
    } catch (error) {
      // The previous image stays in place.
      const reason = error instanceof ImageTooLarge ? 'tooLarge' : 'error'
      showError(t('avatar.errorTitle'), t(`avatar.${reason}`))
    }
    setBusy(false)
  }

  return (
    <div className="flex flex-col items-center">
      <span className="inline-flex size-36 items-center justify-center overflow-hidden rounded-full border border-line-strong bg-raised text-muted">
        {busy ? (
          <Spinner label={t('avatar.optimizing')} className="size-8" />
        ) : image ? (
          <img src={image.url} alt={t('avatar.preview')} className="size-full object-cover" />
        ) : (
          <ImageUp className="size-8" strokeWidth={1.5} />
        )}
      </span>
      <p aria-live="polite" className="mt-3 min-h-5 text-center text-sm text-muted">
        {image
          ? t('avatar.size', {
              width: image.width,
              height: image.height,
              kib: Math.ceil(image.bytes / 1024),
            })
          : t('avatar.isResized')}
      </p>
      <div className="mt-5 flex w-full flex-col gap-2">
        <TakePhotoButton disabled={busy} onPhoto={take} />
        <FileButton
          label={t('avatar.fromDevice')}
          variant="secondary"
          accept="image/*"
          disabled={busy}
          icon={ImageUp}
          onFile={take}
        />
      </div>
    </div>
  )
}

/** Phones and tablets have a camera app, which `capture` opens; a computer shows its file dialog. */
const hasCameraApp = () => matchMedia('(pointer: coarse)').matches

/** Only secure origins may ask for a camera, and some browsers never do. */
const canAskForCamera = (): boolean => Boolean(navigator.mediaDevices?.getUserMedia)

type TakePhotoButtonProps = { disabled: boolean; onPhoto: (photo: File) => void }

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
      {open && <CameraDialog onOpenChange={setOpen} onPhoto={onPhoto} fallback={null} />}
    </>
  )
}
