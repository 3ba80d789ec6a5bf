import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { withTexts } from '#client/language/load-texts.ts'
import { MainRegion } from '#client/layout/page.tsx'
import { Spinner } from '#client/ui/loading.tsx'
import { Logo } from '#client/ui/pictures/logo.tsx'

/** Long enough to read the text, short enough not to delay the member. */
const REDIRECT_DELAY_MS = 600

export function HomeScreen() {
  const { t } = useTranslation('layout')
  const [, navigate] = useLocation()
  useEffect(() => {
    // The dashboard loads the same and reports a failure itself.
    withTexts(import('./mine/mine-screen.tsx'), ['mine']).catch(() => undefined)
    const timer = setTimeout(() => navigate('/mine', { replace: true }), REDIRECT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <MainRegion className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6">
      <Logo className="size-16" />
      <p role="status" className="flex items-center gap-3 text-muted">
        <Spinner className="size-5 text-mint" />
        {t('home')}
      </p>
    </MainRegion>
  )
}
