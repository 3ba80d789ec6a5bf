import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { User } from '#rules/snapshots'
import { Authenticator } from './authenticator/authenticator.tsx'
import { factorsAtom, refreshFactors } from './factors.ts'
import { PasskeyList } from './passkeys/passkey-list.tsx'

/** The ways to sign in besides the password: passkeys, and codes of an authenticator app. */
export function FactorsPanel({ user: { username } }: { user: User }) {
  const { t } = useTranslation(['account', 'common'])
  const { data, isError, isFetching } = useAtomValue(factorsAtom)
  return (
    <Panel aria-labelledby="factors-title">
      <h2 id="factors-title" className="text-base">
        {t('factors.title')}
      </h2>
      {data && (
        <>
          <PasskeyList passkeys={data.passkeys} username={username} />
          <Authenticator authenticator={data.authenticator} username={username} />
        </>
      )}
      {!data && !isError && <Skeleton className="mt-4 h-40" />}
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
