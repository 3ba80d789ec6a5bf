import { useAtomValue } from 'jotai'
import { type ReactNode, Suspense } from 'react'
import { useLocation } from 'wouter'
import { CommandNotes } from '#client/commands/command-notes.tsx'
import { optionalComponent } from '#client/first-load/lazy-component.tsx'
import { isInstallOfferedAtom } from '#client/offline/install-prompt.ts'
import { ErrorBoundary } from '#client/ui/error-card.tsx'
import { LoadingNote, Skeleton } from '#client/ui/loading.tsx'
import type { User } from '#rules/members/account-snapshots'
import { BottomNav } from './bottom-nav.tsx'
import { Header } from './header/header.tsx'
import { LateAnnouncements } from './header/inbox-bell.tsx'
import { MainRegion, SimulationNotice } from './page.tsx'

const InstallOffer = optionalComponent(
  () => import('./install-offer.tsx'),
  'InstallOffer',
  'firstSteps',
)

export function LateInstallOffer() {
  return useAtomValue(isInstallOfferedAtom) && <InstallOffer fallback={null} />
}

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

/** Screens that end above the lower edge of a window, so that their footer stands at the edge. */
const SHORT_SCREENS = ['/swap']

/** At least as tall as the window where the screen is, so that the footer starts below the edge and does not move. */
function ScreenShape({ path }: { path: string }) {
  const height = SHORT_SCREENS.includes(path) ? '' : 'min-h-dvh'
  return (
    <div className={`flex flex-col gap-4 ${height}`}>
      <LoadingNote />
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-64 rounded-panel" />
      <Skeleton className="h-36 rounded-panel" />
    </div>
  )
}
