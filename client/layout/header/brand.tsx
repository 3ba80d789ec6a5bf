import { Logo } from '#client/ui/pictures/logo.tsx'
import { NETWORK_NAME, TAGLINE } from '#rules/constants'

/** Name and tagline have a line each, even in a wider fallback font. */
export function Brand() {
  return (
    <span className="flex min-w-0 items-center gap-2.5 @max-[26rem]:gap-2">
      {/* The narrowest phones have no room for it, until the brand has a row of its own. */}
      <Logo className="size-9 @max-[22rem]:hidden @max-[16rem]:block @max-[16rem]:size-8" />
      <span className="min-w-0 leading-tight">
        <span className="block font-display text-base font-semibold tracking-tight whitespace-nowrap @max-[23rem]:text-sm">
          {NETWORK_NAME}
        </span>
        <span className="block text-xs text-muted">{TAGLINE}</span>
      </span>
    </span>
  )
}

export function BrandHead() {
  return (
    <header className="flex flex-col items-center text-center">
      <Logo className="size-16" />
      <h1 className="mt-4 text-xl">{NETWORK_NAME}</h1>
      <p className="mt-1 text-sm text-muted">{TAGLINE}</p>
    </header>
  )
}
