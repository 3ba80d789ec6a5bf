import { useAtomValue } from 'jotai'
import { refresh } from '#client/data/member-data.ts'
import { LoadError } from '#client/layout/load-error.tsx'
import { AiCard } from './ai-card.tsx'
import { ComingSoon } from './coming-soon.tsx'
import { NETWORK_URL, networkAtom } from './network-status.ts'
import { StatusCard } from './status-card.tsx'

export function NetworkScreen() {
  const { data: network, isError, isFetching } = useAtomValue(networkAtom)
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-lg">Network</h1>
      {isError && !network ? (
        <LoadError
          title="Failed to load network information"
          text="Mining goes on without this page. Check your connection and try again."
          onRetry={() => refresh(NETWORK_URL)}
          retrying={isFetching}
        />
      ) : (
        <>
          <StatusCard network={network} />
          <AiCard network={network} />
        </>
      )}
      <ComingSoon />
    </div>
  )
}
