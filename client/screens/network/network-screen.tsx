import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { refresh } from '#client/data/member-data.ts'
import { LoadError } from '#client/layout/states/load-error.tsx'
import { LoadingNote } from '#client/ui/states/loading-note.tsx'
import { AiCard } from './ai-card.tsx'
import { ComingSoon } from './coming-soon.tsx'
import { NETWORK_URL, networkAtom } from './network-status.ts'
import { StatusCard } from './status-card.tsx'

export function NetworkScreen() {
  const { t } = useTranslation('network')
  const { data: network, isError, isFetching } = useAtomValue(networkAtom)
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg">{t('title')}</h1>
      {isError && !network ? (
        <LoadError
          title={t('loadFailed')}
          text={t('loadFailedText')}
          onRetry={() => refresh(NETWORK_URL)}
          retrying={isFetching}
        />
      ) : (
        <>
          {!network && <LoadingNote />}
          <StatusCard network={network} />
          <AiCard network={network} />
        </>
      )}
      <ComingSoon />
    </div>
  )
}
