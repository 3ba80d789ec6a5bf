import { useState } from 'react'
import { optionalComponent } from '#client/first-load/lazy-component.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { avatarHashIn, presetOf } from '#rules/members/avatars'

/** Few members show one of the drawings, which every page of a member would load. */
const PresetPicture = optionalComponent(() => import('./preset-picture.tsx'), 'PresetPicture')

export function Avatar({
  name,
  image,
  className,
}: {
  name: string
  /** The stored avatar: a preset or the path of a file; null for the letter. */
  image?: string | null
  className?: string
}) {
  const shape = classNames(
    'inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full',
    className ?? 'size-9 text-sm',
  )
  // A file that cannot be loaded, as without a network.
  const [broken, setBroken] = useState<string>()
  const preset = image ? presetOf(image) : undefined
  if (preset) {
    const waiting = <span className={classNames(shape, 'bg-sheet')} />
    return <PresetPicture name={preset} className={shape} fallback={waiting} />
  }
  if (image && image !== broken && avatarHashIn(image)) {
    const className = classNames(shape, 'object-cover')
    return <img src={image} alt="" onError={() => setBroken(image)} className={className} />
  }
  return (
    <span
      aria-hidden="true"
      className={classNames(
        shape,
        'figure border border-mint-line bg-mint-soft font-semibold text-mint',
      )}
    >
      {[...name][0]?.toUpperCase()}
    </span>
  )
}
