import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { MINING_URL, miningAtom, refresh } from '#client/data/member-data.ts'
import { LoadError } from '#client/layout/states/load-error.tsx'
import { LoadingNote } from '#client/ui/states/loading-note.tsx'
import { MinedDays } from './days/mined-days.tsx'
import { Dial } from './dial/dial.tsx'
import { DialCaption } from './dial/dial-caption.tsx'
import { BoostBox } from './figures/boost-box.tsx'
import { AiMeter } from './figures/meters.tsx'
import { RandomLine } from './figures/random-line.tsx'
import { Readouts } from './figures/readouts.tsx'
import { StatCards } from './figures/stat-cards.tsx'
import { Greeting } from './greeting/greeting.tsx'
import { PendingRewards } from './rewards/pending-rewards.tsx'

/** On a phone, everything down to Claim fits above the navigation. */
export function MineScreen() {
  const { t } = useTranslation('mine')
  const { data: status, isError, isFetching } = useAtomValue(miningAtom)
  return (
    <div className="flex flex-col gap-4">
      <Greeting />
      {isError && !status ? (
        <LoadError
          title={t('loadFailed.title')}
          text={t('loadFailed.text')}
          onRetry={() => refresh(MINING_URL)}
          retrying={isFetching}
        />
      ) : (
        <>
          <section
            aria-label={t('mining')}
            className="-mx-beside flex flex-col gap-3 overflow-x-clip pt-3 pb-2"
          >
            {!status && <LoadingNote />}
            <Dial />
            <DialCaption />
          </section>
          <PendingRewards />
          <Readouts />
          <RandomLine active={status?.active} />
          <AiMeter />
          <MinedDays />
          <BoostBox />
          <StatCards />
        </>
      )}
    </div>
  )
}
