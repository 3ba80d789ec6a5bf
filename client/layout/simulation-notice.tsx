import { useTranslation } from 'react-i18next'

/**
 * Notice on every page that the mining is simulated (Specification: points without cash value), and
 * the way to the status page, which the gateway renders.
 */
export function SimulationNotice() {
  const { t } = useTranslation('layout')
  return (
    <footer className="px-6 py-6 text-center text-xs text-balance text-muted">
      {t('simulationNotice')}{' '}
      <a href="/status" className="underline underline-offset-2">
        {t('serviceStatus')}
      </a>
    </footer>
  )
}
