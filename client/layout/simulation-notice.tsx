import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { currentLanguage } from '#client/language/language.ts'

const linkLook = 'py-1 underline underline-offset-2 hover:text-ink'

/**
 * Notice on every page that the mining is simulated (Specification: points without cash value), and
 * links to the status page, which the gateway renders in the language that it is asked for, and to
 * the page that verifies a proof. `children` stand above all.
 */
export function SimulationNotice({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('layout')
  return (
    <footer className="px-6 py-6 text-center text-xs text-balance text-muted">
      {children}
      <p>{t('simulationNotice')}</p>
      <p className="mt-1 flex flex-wrap justify-center gap-x-4">
        <a href={`/status?language=${currentLanguage()}`} className={linkLook}>
          {t('serviceStatus')}
        </a>
        <Link href="/verify" className={linkLook}>
          {t('titles./verify')}
        </Link>
      </p>
    </footer>
  )
}
