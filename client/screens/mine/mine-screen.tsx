import { useAtomValue } from 'jotai'
import X from 'lucide-react/icons/x'
import { useTranslation } from 'react-i18next'
import { miningAtom, userAtom } from '#client/data/member-data.ts'
import { balanceText } from '#client/format/amounts.ts'
import { LoadError } from '#client/layout/connection-notes.tsx'
import { awayCreditsAtom, dismissAwayCredits } from '#client/live/away-credits.ts'
import { classNames } from '#client/ui/class-names.ts'
import { focusMain } from '#client/ui/focus-main.ts'
import { LoadingNote } from '#client/ui/loading.tsx'
import { Dial } from './dial.tsx'
import { DialCaption } from './dial-caption.tsx'
import { AiMeter, BoostBox, Readouts, StatCards } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { MinedDays } from './mined-days.tsx'
import { PendingRewards } from './pending-rewards.tsx'
import { PushOffer } from './push-offer.tsx'
import { RandomLine } from './random-line.tsx'

/** On a phone, everything down to Claim fits above the navigation. */
export function MineScreen() {
  const { t } = useTranslation('mine')
  const query = useAtomValue(miningAtom)
  const { data: status, isError } = query
  const session = status?.session
  return (
    <div className="flex flex-col gap-4">
      <Greeting />
      {isError && !status ? (
        <LoadError query={query} title={t('loadFailed.title')} text={t('loadFailed.text')} />
      ) : (
        <>
          <section
            aria-label={t('mining')}
            className="-mx-beside flex flex-col gap-3 overflow-x-clip pt-3"
          >
            {!status && <LoadingNote />}
            {session?.isCompleted && (
              <p className="figure text-center text-sm text-mint">
                {t('sessionOver', {
                  amount: balanceText(session.credited, 'TESP'),
                  count: session.creditedIntervals,
                })}
              </p>
            )}
            <Dial />
            <DialCaption />
          </section>
          <PushOffer />
          <PendingRewards />
          <FirstSteps />
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

/** The note about an absence covers the second line, so that it moves nothing; screen readers read both. */
function Greeting() {
  const { t } = useTranslation(['mine', 'common'])
  const username = useAtomValue(userAtom).data?.username ?? ''
  const away = useAtomValue(awayCreditsAtom)
  function dismiss() {
    dismissAwayCredits()
    focusMain()
  }
  return (
    <header className="text-center">
      <h1 className="text-lg">{t('greeting', { username })}</h1>
      <div className="mt-1 grid min-h-11 *:[grid-area:1/1]">
        <p
          className={classNames(
            'text-sm text-balance text-muted',
            away !== null && 'pointer-events-none opacity-0',
          )}
        >
          {t('welcome')}
        </p>
        <div role="status">
          {away && (
            <div className="flex min-h-11 animate-fade-in items-center rounded-control border border-mint-line bg-mint-soft pl-3">
              <p className="min-w-0 grow text-left text-sm text-mint">
                {t('away', { count: away.count, amount: balanceText(away.amount, 'TESP') })}
              </p>
              <button
                type="button"
                aria-label={t('common:dismiss')}
                onClick={dismiss}
                className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted transition hover:text-ink"
              >
                <X className="size-4" />
              </button>
            </div>
          )}
        </div>
      </div>
    </header>
  )
}
