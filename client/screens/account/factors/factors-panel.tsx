import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { OPENED, routeQuery } from '#client/data/member-data.ts'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { whenIdle } from '#client/first-load/when-idle.ts'
import { Loaded, PanelWaiting } from '#client/screens/account/loaded.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { TitledPanel } from '#client/ui/panel.tsx'

const LoadedFactors = lazyComponent(() => import('./loaded-factors.tsx'), 'LoadedFactors')

const factorsAtom = routeQuery('/api/user/factors', OPENED)

const SKELETON = 'mt-5 h-76'

/** The ways to sign in besides the password: passkeys and an authenticator app. */
export function FactorsPanel() {
  const { t } = useTranslation('account')
  useEffect(() => void whenIdle().then(LoadedFactors.preload), [])
  return (
    <TitledPanel titleId="factors-title" title={t('factors.title')} {...useKeptFocus()}>
      <Loaded
        query={useAtomValue(factorsAtom)}
        skeleton={SKELETON}
        failure={t('factors.loadFailed')}
      >
        {(factors) => (
          <LoadedFactors factors={factors} fallback={<PanelWaiting skeleton={SKELETON} />} />
        )}
      </Loaded>
    </TitledPanel>
  )
}
