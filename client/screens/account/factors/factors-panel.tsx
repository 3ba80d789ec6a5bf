import { useAtomValue } from 'jotai'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '#client/loading/lazy-component.tsx'
import { whenIdle } from '#client/loading/when-idle.ts'
import { LoadFailed } from '#client/screens/account/load-failed.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { LoadingNote } from '#client/ui/states/loading-note.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import type { User } from '#rules/members/account-snapshots'
import { factorsAtom, refreshFactors } from './factors.ts'

/** Its forms and dialogs are not needed to show the page. */
const LoadedFactors = lazyComponent(() => import('./loaded-factors.tsx'), 'LoadedFactors')

const waiting = (
  <>
    <LoadingNote />
    <Skeleton className="mt-5 h-76" />
  </>
)

/** The ways to sign in besides the password: passkeys, and codes of an authenticator app. */
export function FactorsPanel({ user: { username } }: { user: User }) {
  const { t } = useTranslation('account')
  const { data, isError, isFetching } = useAtomValue(factorsAtom)
  useEffect(() => void whenIdle().then(LoadedFactors.preload), [])
  return (
    <TitledPanel titleId="factors-title" title={t('factors.title')}>
      {data && (
        <Suspense fallback={waiting}>
          <LoadedFactors factors={data} username={username} />
        </Suspense>
      )}
      {!data && !isError && waiting}
      {!data && isError && (
        <LoadFailed
          text={t('factors.loadFailed')}
          busy={isFetching}
          onRetry={() => void refreshFactors()}
        />
      )}
    </TitledPanel>
  )
}
