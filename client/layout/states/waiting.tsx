import { useTranslation } from 'react-i18next'
import { MainRegion } from '#client/layout/main-region.tsx'
import { LoadingNote, Skeleton, Spinner } from '#client/ui/loading.tsx'

/** A page while the signed-in user is unknown. */
export function WaitingPage() {
  const { t } = useTranslation()
  return (
    <MainRegion className="flex min-h-dvh items-center justify-center text-mint">
      <Spinner label={t('loading')} className="size-8" />
    </MainRegion>
  )
}

/** Screens that end above the lower edge of a window, so that their footer stands at the edge. */
const SHORT_SCREENS = ['/swap']

/**
 * The rough layout of a screen whose code is loading. It is at least as tall as the window where the
 * screen is, so that the footer is below the edge from the first paint and does not move.
 */
export function ScreenShape({ path }: { path: string }) {
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
