import { useAtomValue } from 'jotai'
import { MINING_URL, miningAtom, refresh, userAtom } from '#client/data/member-data.ts'
import { LoadError } from '#client/layout/load-error.tsx'
import { BoostBox } from './boost-box.tsx'
import { Dial } from './dial/dial.tsx'
import { AiMeter } from './meters.tsx'
import { DialCaption } from './mining-badge.tsx'
import { PendingRewards } from './pending-rewards.tsx'
import { RandomLine } from './random-line.tsx'
import { Readouts } from './readouts.tsx'
import { StatCards } from './stat-cards.tsx'

export function MineScreen() {
  const user = useAtomValue(userAtom).data
  const { data: status, isError, isFetching } = useAtomValue(miningAtom)
  return (
    <div className="flex flex-col gap-4">
      <header className="text-center">
        <h1 className="text-lg">Hello, {user?.username}!</h1>
        <p className="mt-1 text-sm text-balance text-muted">
          Welcome to the next generation of AI-powered mining technology
        </p>
      </header>
      {isError && !status ? (
        <LoadError
          title="Failed to load mining status"
          text="Your mining goes on without this page. Check your connection and try again."
          onRetry={() => refresh(MINING_URL)}
          retrying={isFetching}
        />
      ) : (
        <>
          <section
            aria-label="Mining"
            className="-mx-4 flex flex-col gap-4 overflow-x-clip pt-3 pb-2"
          >
            <Dial />
            <DialCaption />
          </section>
          <Readouts />
          <RandomLine active={status?.active} />
          <PendingRewards />
          <AiMeter />
          <BoostBox />
          <StatCards />
        </>
      )}
    </div>
  )
}
