import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { useTranslation } from 'react-i18next'
import { MainRegion } from '#client/layout/page.tsx'
import { LinkButton } from '#client/ui/buttons/button.tsx'
import { Panel } from '#client/ui/panel.tsx'

export function NotFoundScreen() {
  const { t } = useTranslation('layout')
  return (
    <MainRegion className="mx-auto flex min-h-dvh max-w-column flex-col justify-center p-4">
      <Panel className="flex flex-col items-center bg-card! px-6 py-12 text-center">
        <TriangleAlert className="size-12 text-amber" strokeWidth={1.25} />
        <h1 className="mt-5 text-xl">{t('notFound.title')}</h1>
        <p className="mt-2 text-balance text-muted">{t('notFound.text')}</p>
        <LinkButton href="/" className="mt-7">
          {t('notFound.back')}
        </LinkButton>
      </Panel>
    </MainRegion>
  )
}
