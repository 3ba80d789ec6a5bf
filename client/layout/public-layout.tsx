import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '#client/language/language.ts'
import { chooseLanguage } from '#client/language-switch/language-choice.ts'
import { classNames } from '#client/ui/class-names.ts'
import { ErrorBoundary } from '#client/ui/error-card.tsx'
import { Spinner } from '#client/ui/loading.tsx'
import { LANGUAGE_NAMES, LANGUAGES } from '#rules/members/languages'
import { MainRegion, SimulationNotice } from './page.tsx'

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

function LanguageSwitch() {
  const { t } = useTranslation('layout')
  return (
    <fieldset aria-label={t('language')} className="mb-3 flex flex-wrap justify-center gap-1">
      {LANGUAGES.map((language) => {
        const isCurrent = language === currentLanguage()
        return (
          <button
            key={language}
            type="button"
            lang={language}
            aria-pressed={isCurrent}
            onClick={() => void chooseLanguage(language)}
            className={classNames(
              'min-h-11 rounded-chip px-3 text-sm transition hover:text-ink',
              // The letters of another language may need a font file of their own, before the first paint.
              isCurrent ? 'font-medium text-ink' : 'font-system text-muted',
            )}
          >
            {LANGUAGE_NAMES[language]}
          </button>
        )
      })}
    </fieldset>
  )
}
