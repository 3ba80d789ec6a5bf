import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageSwitch } from '#client/language-switch/language-switch.tsx'
import { ErrorBoundary } from '#client/ui/error-card.tsx'
import { Spinner } from '#client/ui/loading.tsx'
import { MainRegion, SimulationNotice } from './page.tsx'

/** A public page: one narrow column on the background. */
export function PublicLayout({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className="mx-auto flex min-h-dvh max-w-column flex-col pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)]">
      <MainRegion className="grow px-3 pt-6 md:pt-16">
        <ErrorBoundary>
          <Suspense
            fallback={
              <div className="flex h-96 items-center justify-center text-mint">
                <Spinner label={t('loading')} className="size-8" />
              </div>
            }
          >
            {children}
          </Suspense>
        </ErrorBoundary>
      </MainRegion>
      <SimulationNotice>
        <LanguageSwitch />
      </SimulationNotice>
    </div>
  )
}
