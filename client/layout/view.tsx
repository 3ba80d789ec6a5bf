import type { LucideIcon } from 'lucide-react'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { LinkButton } from '#client/ui/buttons/button.tsx'
import { documentTitle } from './page.tsx'

/** For a screen with views (`?view=`): a change focuses the view's heading, or the row that led to the view left. */
export function useViewChange(path: string, view: string | undefined, title: string): void {
  const shown = useRef(view)
  // After the app, which sets the title of the path.
  useEffect(() => queueMicrotask(() => setTitle(path, title)), [path, title])
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    window.scrollTo(0, 0)
    document.querySelector<HTMLElement>('main [data-takes-focus]')?.focus()
  }, [view])
}

function setTitle(path: string, title: string): void {
  // The member may have left the screen meanwhile.
  if (window.location.pathname.startsWith(path)) document.title = documentTitle(title)
}

type ViewRowProps = {
  href: string
  Icon: LucideIcon
  title: string
  text: string
  /** The member has just left this view. */
  takesFocus: boolean
}

/** A row that leads to a view, in a `@container`. */
export function ViewRow({ href, Icon, title, text, takesFocus }: ViewRowProps) {
  return (
    <Link
      href={href}
      data-takes-focus={takesFocus || undefined}
      className="flex min-h-16 items-center gap-4 px-panel py-3 -outline-offset-2 transition group-first:rounded-t-panel group-last:rounded-b-panel hover:bg-raised"
    >
      {/* Large text on a phone needs their room. */}
      <Icon className="size-5 shrink-0 text-mint @max-[14rem]:hidden" strokeWidth={1.75} />
      <span className="min-w-0 grow">
        <span className="block font-medium">{title}</span>
        <span className="mt-0.5 block text-sm text-muted">{text}</span>
      </span>
      <ChevronRight className="size-5 shrink-0 text-muted @max-[14rem]:hidden" />
    </Link>
  )
}

type ViewProps = {
  title: string
  back: { href: string; label: string }
  children: ReactNode
}

/** Tall while it loads, so that the footer moves once at most; on wide screens always, as a scroll bar would come and go. */
export function View({ title, back, children }: ViewProps) {
  return (
    <div className="flex flex-col gap-4 has-[.animate-shimmer]:min-h-dvh sm:min-h-dvh">
      <header className="flex flex-wrap items-center gap-x-1">
        <LinkButton
          href={back.href}
          aria-label={back.label}
          variant="ghost"
          size="icon"
          className="-ml-3"
        >
          <ArrowLeft className="size-5" />
        </LinkButton>
        <h1 tabIndex={-1} data-takes-focus className="max-w-full text-title outline-none">
          {title}
        </h1>
      </header>
      {children}
    </div>
  )
}
