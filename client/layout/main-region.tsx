import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '#client/ui/class-names.ts'

const MAIN_ID = 'main'

/** The main landmark of a page; it receives the focus when the route changes. */
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

/** A link to the main landmark; the first tab stop of each page. */
export function SkipLink() {
  const { t } = useTranslation('layout')
  return (
    <a
      href={`#${MAIN_ID}`}
      onClick={(event) => {
        event.preventDefault()
        focusMain()
      }}
      className="sr-only rounded-control bg-mint px-4 py-3 font-semibold text-on-mint text-sm focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
    >
      {t('skip')}
    </a>
  )
}
