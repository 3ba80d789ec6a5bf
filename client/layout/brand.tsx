import { Logo } from '#client/ui/logo.tsx'
import { NETWORK_NAME, TAGLINE } from '#rules/constants'

/** Logo, name and tagline in one line, as the header carries them. */
export function Brand() {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Logo className="size-9" />
      <span className="min-w-0 leading-tight">
        <span className="block truncate font-display text-base font-semibold tracking-tight">
          {NETWORK_NAME}
        </span>
        <span className="block truncate text-xs text-muted">{TAGLINE}</span>
      </span>
    </span>
  )
}

/** The same, large and centred: the head of the pages for those who are not signed in. */
export function BrandHead() {
  return (
    <header className="flex flex-col items-center text-center">
      <Logo className="size-16" />
      <h1 className="mt-4 text-xl">{NETWORK_NAME}</h1>
      <p className="mt-1 text-sm text-muted">{TAGLINE}</p>
    </header>
  )
}
