import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '#client/language/language.ts'
import { classNames } from '#client/ui/class-names.ts'
import { focusMain, handOverFocus, MAIN_ID } from '#client/ui/focus-main.ts'
import { Spinner } from '#client/ui/loading.tsx'
import { NETWORK_NAME } from '#rules/constants'
import { ServiceLink } from './service-link.tsx'

/** Receives the focus when the route changes, and that of a page that was loading. */
export function MainRegion({ className, children }: { className?: string; children: ReactNode }) {
  const look = classNames('outline-none', className)
  return (
    <main ref={handOverFocus} id={MAIN_ID} tabIndex={-1} className={look}>
      {children}
    </main>
  )
}

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

export function documentTitle(title: string): string {
  return title ? `${title} · ${NETWORK_NAME}` : NETWORK_NAME
}

/** Moves the focus to the content of each route, except on load. */
export function useRouteChange(path: string, title: string): void {
  const shownPath = useRef(path)
  useEffect(() => {
    document.title = documentTitle(title)
  }, [title])
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    window.scrollTo(0, 0)
    focusMain()
  }, [path])
}

export function WaitingPage() {
  const { t } = useTranslation()
  return (
    <MainRegion className="flex min-h-dvh items-center justify-center text-mint">
      <Spinner label={t('loading')} className="size-8" />
    </MainRegion>
  )
}

/** On every page (Specification: points without cash value). The gateway renders the status page in `language`. */
export function SimulationNotice({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('layout')
  return (
    <footer className="px-6 py-6 text-center text-xs text-balance text-muted">
      {children}
      <p>{t('simulationNotice')}</p>
      <p className="flex flex-wrap justify-center gap-x-4 *:inline-flex *:min-h-11 *:items-center *:underline *:underline-offset-2 *:hover:text-ink">
        <a href={`/status?language=${currentLanguage()}`}>{t('serviceStatus')}</a>
        {(['support', 'terms', 'privacy'] as const).map((name) => (
          <ServiceLink key={name} name={name}>
            {t(`links.${name}`)}
          </ServiceLink>
        ))}
      </p>
    </footer>
  )
}
