import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * Notice on every page that the mining is simulated (Specification: points without cash value), and
 * the way to the status page, which the gateway renders. `children` stand above both.
 */
export function SimulationNotice({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('layout')
  return (
    <footer className="px-6 py-6 text-center text-xs text-balance text-muted">
      {children}
      {t('simulationNotice')}{' '}
      <a href="/status" className="underline underline-offset-2">
        {t('serviceStatus')}
      </a>
    </footer>
  )
}
