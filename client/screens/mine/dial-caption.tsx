import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { miningAtom } from '#client/data/member-data.ts'
import { clockText, timeText } from '#client/format/dates.ts'
import { RichText } from '#client/language/rich-text.tsx'
import { StaleNote } from '#client/layout/connection-notes.tsx'
import { connectionAtom } from '#client/live/connection-state.ts'
import { classNames } from '#client/ui/class-names.ts'
import { Skeleton } from '#client/ui/loading.tsx'
import { countdownText } from '#rules/duration-text'
import { overdueMs, untilCreditMs, useMining } from './mining-view.ts'

export function DialCaption() {
  const { t } = useTranslation('mine')
  const active = useAtomValue(miningAtom).data?.active
  const { state, lastContactAt } = useAtomValue(connectionAtom)
  return (
    <div className="flex flex-col items-center gap-1.5 px-4 text-center text-balance">
      <NextCredit />
      <div className="flex min-h-7 w-full flex-wrap items-center justify-center gap-2">
        {active === undefined ? (
          <Skeleton className="h-7 w-32 rounded-full" />
        ) : (
          <p
            role="status"
            className={classNames(
              'inline-flex items-center gap-2 rounded-full border px-3 py-1 text-xs font-medium',
              active
                ? 'border-mint-line bg-mint-soft text-mint'
                : 'border-line bg-panel text-muted',
            )}
          >
            <span
              aria-hidden="true"
              className={classNames(
                'size-1.5 rounded-full',
                active ? 'animate-pulse-dot bg-mint' : 'bg-muted',
              )}
            />
            {active ? t('active') : t('inactive')}
          </p>
        )}
        <StaleNote />
      </div>
      {/* The dial continues from the last status. */}
      {active && state === 'offline' && (
        <p className="text-xs text-muted">{t('offline', { time: timeText(lastContactAt) })}</p>
      )}
    </div>
  )
}

/** Counts down to the next credit; offline, says since when a credit is due. */
function NextCredit() {
  const { t } = useTranslation('mine')
  const mining = useMining()
  const { state } = useAtomValue(connectionAtom)
  if (!mining) return <Skeleton className="h-6 w-36" />
  const { status, now } = mining
  const left = untilCreditMs(status, now)
  if (left === null) return <p className="text-sm leading-6 text-muted">{t('creditEvery')}</p>
  const overdue = state === 'offline' ? overdueMs(status, now) : null
  const text =
    overdue === null
      ? t('nextCredit', { time: countdownText(left) })
      : t('creditDue', { time: clockText(Date.now() - overdue / status.speed) })
  return (
    <>
      <p className="text-sm leading-6 text-muted">
        <RichText
          text={text}
          elements={{ figure: <span className="figure text-base text-ink" /> }}
        />
      </p>
      {overdue === null && <p className="-mt-1 text-xs text-muted">{t('creditEvery')}</p>}
    </>
  )
}
