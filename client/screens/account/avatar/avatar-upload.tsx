import ImageUp from 'lucide-react/icons/image-up'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TakePhotoButton } from '#client/screens/account/camera/take-photo-button.tsx'
import { optimizeImage } from '#client/screens/account/profile-commands.ts'
import { FileButton } from '#client/ui/forms/file-button.tsx'
import { Spinner } from '#client/ui/states/spinner.tsx'
import type { ResizedImage } from './resize-image.ts'

export type AvatarUploadProps = {
  image: ResizedImage | null
  onImage: (image: ResizedImage | null) => void
}

/** An uploaded image, resized in the browser. The preview is what will be saved. */
export function AvatarUpload({ image, onImage }: AvatarUploadProps) {
  const { t } = useTranslation('account')
  const [busy, setBusy] = useState(false)

  async function take(file: File) {
    setBusy(true)
    const resized = await optimizeImage(file)
    setBusy(false)
    // A file that could not be read leaves the previous image in place.
    if (resized) onImage(resized)
  }

  return (
    <div className="flex flex-col items-center">
      <span className="inline-flex size-36 items-center justify-center overflow-hidden rounded-full border border-line-strong bg-raised text-muted">
        {busy ? (
          <Spinner label={t('avatar.optimizing')} className="size-8" />
        ) : image ? (
          <img src={image.url} alt={t('avatar.preview')} className="size-full object-cover" />
        ) : (
          <ImageUp aria-hidden="true" className="size-8" strokeWidth={1.5} />
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
        <TakePhotoButton disabled={busy} onPhoto={(photo) => void take(photo)} />
        <FileButton
          label={t('avatar.fromDevice')}
          variant="secondary"
          accept="image/*"
          disabled={busy}
          onFile={(file) => void take(file)}
        >
          <ImageUp aria-hidden="true" className="size-4" />
        </FileButton>
      </div>
    </div>
  )
}
