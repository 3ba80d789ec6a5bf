import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { shortAgeText } from '#client/format/ages.ts'
import { connectionAtom } from '#client/live/connection/connection-state.ts'
import { classNames } from '#client/ui/class-names.ts'

const looks = {
  // Appears after a delay, so that a socket that opens quickly never shows it.
  connecting: {
    tone: 'animate-appear-late border-line text-muted',
    dot: 'bg-muted',
  },
  live: { tone: 'border-mint-line text-mint', dot: 'bg-mint animate-pulse-dot' },
  polling: { tone: 'border-amber-line text-amber', dot: 'bg-amber' },
  offline: { tone: 'border-coral-line text-coral', dot: 'bg-coral' },
}

/** The connection and the age of the figures; screen readers do not announce the age. */
export function ConnectionBadge() {
  const { t } = useTranslation('layout')
  const { state, ageMs } = useAtomValue(connectionAtom)
  const { tone, dot } = looks[state]
  const text = t(`connection.${state}`)
  return (
    <>
      <span role="status" className="sr-only">
        {t('connection.label', { state: text })}
      </span>
      <span
        // A new element for a new state: its width differs, and it must not move as a layout shift.
        key={state}
        className={classNames(
          'header-badge inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border text-xs font-medium',
          tone,
        )}
      >
        <span aria-hidden="true" className={classNames('size-1.5 rounded-full', dot)} />
        {/* Beside it a narrow header has no room for the brand on two lines, and would get taller. */}
        <span aria-hidden="true" className={state === 'connecting' ? '@max-[22rem]:hidden' : ''}>
          {text}
        </span>
        {(state === 'polling' || state === 'offline') && (
          <span className="opacity-80 @max-[22rem]:hidden">{shortAgeText(ageMs)}</span>
        )}
      </span>
    </>
  )
}
