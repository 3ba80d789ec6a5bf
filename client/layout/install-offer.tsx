import { useTranslation } from 'react-i18next'
import { declineInstall, install } from '#client/offline/install-prompt.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { focusMain } from '#client/ui/focus-main.ts'

/** Stands above the navigation, so that it moves nothing. */
export function InstallOffer() {
  const { t } = useTranslation('firstSteps')
  function answer(send: () => unknown) {
    void send()
    focusMain()
  }
  return (
    <section
      aria-label={t('install.title')}
      className="sticky bottom-[calc(5rem+env(safe-area-inset-bottom))] z-10 mt-4 rounded-panel border border-line-strong bg-sheet p-4 text-sm"
    >
      <h2 className="text-base">{t('install.title')}</h2>
      <p className="mt-1 text-muted">{t('install.text')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => answer(install)}>
          {t('install.yes')}
        </Button>
        <Button variant="ghost" onClick={() => answer(declineInstall)}>
          {t('install.no')}
        </Button>
      </div>
    </section>
  )
}
