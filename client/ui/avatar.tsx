import { classNames } from '#client/ui/class-names.ts'

/** The member's picture, or the first letter of their name; decorative beside the name itself. */
export function Avatar({
  name,
  image,
  className,
}: {
  name: string
  /** Address of a picture; null for the letter. */
  image?: string | null
  className?: string
}) {
  const shape = classNames(
    'inline-flex items-center justify-center overflow-hidden rounded-full',
    className ?? 'size-9 text-sm',
  )
  if (image) return <img src={image} alt="" className={classNames(shape, 'object-cover')} />
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
