import type { ReactNode } from 'react'
import { classNames } from '#client/ui/class-names.ts'

const MAIN_ID = 'main'

/** The part of a page that is its own: takes the focus when the route changes. */
export function MainRegion({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <main id={MAIN_ID} tabIndex={-1} className={classNames('outline-none', className)}>
      {children}
    </main>
  )
}

export function focusMain(): void {
  document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
}

/** The first stop of the keyboard on each page. */
export function SkipLink() {
  return (
    <a
      href={`#${MAIN_ID}`}
      onClick={(event) => {
        event.preventDefault()
        focusMain()
      }}
      className="fixed top-2 left-2 z-50 -translate-y-24 rounded-control bg-mint px-4 py-3 text-sm font-semibold text-on-mint focus:translate-y-0"
    >
      Skip to content
    </a>
  )
}
