import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { MainRegion } from '#client/layout/main-region.tsx'
import { Logo } from '#client/ui/logo.tsx'
import { Spinner } from '#client/ui/spinner.tsx'

/** Long enough to read the text, short enough not to delay the member. */
const REDIRECT_DELAY_MS = 600

/** Redirects to the dashboard and preloads its code. */
export function HomeScreen() {
  const [, navigate] = useLocation()
  useEffect(() => {
    // The dashboard loads the same code and reports a failure itself.
    import('#client/screens/mine/mine-screen.tsx').catch(() => undefined)
    const timer = setTimeout(() => navigate('/mine', { replace: true }), REDIRECT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <MainRegion className="flex min-h-dvh flex-col items-center justify-center gap-6 p-6">
      <Logo className="size-16" />
      <p role="status" className="flex items-center gap-3 text-muted">
        <Spinner className="size-5 text-mint" />
        Redirecting to mining dashboard...
      </p>
    </MainRegion>
  )
}
