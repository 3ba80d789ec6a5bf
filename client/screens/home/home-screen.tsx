import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { MainRegion } from '#client/layout/main-region.tsx'
import { Logo } from '#client/ui/logo.tsx'
import { Spinner } from '#client/ui/spinner.tsx'

/** Long enough to be read, short enough not to be waited for. */
const REDIRECT_DELAY_MS = 600

/** Leads on to the dashboard, whose code is fetched meanwhile. */
export function HomeScreen() {
  const [, navigate] = useLocation()
  useEffect(() => {
    // A failure shows on the dashboard itself, which loads the same code.
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
