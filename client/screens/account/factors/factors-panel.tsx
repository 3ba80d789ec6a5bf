import { useAtomValue } from 'jotai'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '#client/loading/lazy-component.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import type { User } from '#rules/snapshots'
import { factorsAtom, refreshFactors } from './factors.ts'

/** Its forms and dialogs are not needed to show the page. */
const LoadedFactors = lazyComponent(() => import('./loaded-factors.tsx'), 'LoadedFactors')

const waiting = <Skeleton className="mt-4 h-40" />

/** The ways to sign in besides the password: passkeys, and codes of an authenticator app. */
export function FactorsPanel({ user: { username } }: { user: User }) {
  const { t } = useTranslation(['account', 'common'])
  const { data, isError, isFetching } = useAtomValue(factorsAtom)
  useEffect(() => void LoadedFactors.preload(), [])
  return (
    <Panel aria-labelledby="factors-title">
      <h2 id="factors-title" className="text-base">
        {t('factors.title')}
      </h2>
      {data && (
        <Suspense fallback={waiting}>
          <LoadedFactors factors={data} username={username} />
        </Suspense>
      )}
      {!data && !isError && waiting}
      {!data && isError && (
        <div className="mt-4 flex items-center justify-between gap-3 border-t border-line py-3 text-sm">
          <p className="text-muted">{t('factors.loadFailed')}</p>
          <Button variant="secondary" busy={isFetching} onClick={() => void refreshFactors()}>
            {t('common:tryAgain')}
          </Button>
        </div>
      )}
    </Panel>
  )
}
