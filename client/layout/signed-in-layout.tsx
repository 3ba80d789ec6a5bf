import { useAtomValue } from 'jotai'
import { type ReactNode, Suspense } from 'react'
import { useLocation } from 'wouter'
import { CommandNotes } from '#client/commands/command-notes.tsx'
import { optionalComponent } from '#client/first-load/lazy-component.tsx'
import { isInstallOfferedAtom } from '#client/offline/install-prompt.ts'
import { ErrorBoundary } from '#client/ui/error-card.tsx'
import type { User } from '#rules/members/account-snapshots'
import { BottomNav } from './bottom-nav.tsx'
import { Header } from './header/header.tsx'
import { LateAnnouncements } from './header/inbox-bell.tsx'
import { MainRegion, ScreenShape, SimulationNotice } from './page.tsx'

const InstallOffer = optionalComponent(
  () => import('./install-offer.tsx'),
  'InstallOffer',
  'firstSteps',
)

/** The offer to install the app, whose code is loaded when there is one. */
export function LateInstallOffer() {
  return <Suspense>{useAtomValue(isInstallOfferedAtom) && <InstallOffer />}</Suspense>
}

/** Header, screen, footer and navigation in one column of at most 30 rem. */
export function SignedInLayout({ user, children }: { user: User; children: ReactNode }) {
  const [location] = useLocation()
  return (
    <div className="mx-auto flex min-h-dvh max-w-column flex-col border-line md:border-x md:bg-column">
      <Header user={user} />
      <MainRegion className="grow px-beside pt-6 pb-2">
        <LateAnnouncements />
        <CommandNotes />
        <ErrorBoundary key={location}>
          <Suspense fallback={<ScreenShape path={location} />}>{children}</Suspense>
        </ErrorBoundary>
        <LateInstallOffer />
      </MainRegion>
      <SimulationNotice />
      <BottomNav />
    </div>
  )
}
