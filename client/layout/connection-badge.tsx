import { useAtomValue } from 'jotai'
import { connectionAtom } from '#client/live/connection-state.ts'
import { classNames } from '#client/ui/class-names.ts'
import { MINUTE_MS, SECOND_MS } from '#rules/constants'

const looks = {
  // A socket that opens at once is Live from the first sight on.
  connecting: {
    text: 'Connecting…',
    tone: 'animate-appear-late border-line text-muted',
    dot: 'bg-muted',
  },
  live: { text: 'Live', tone: 'border-mint-line text-mint', dot: 'bg-mint animate-pulse-dot' },
  polling: { text: 'Polling', tone: 'border-amber-line text-amber', dot: 'bg-amber' },
  offline: { text: 'Offline', tone: 'border-coral-line text-coral', dot: 'bg-coral' },
}

/** `7s`, from a minute on `2m`. */
export function ageText(ageMs: number): string {
  if (ageMs < MINUTE_MS) return `${Math.max(0, Math.floor(ageMs / SECOND_MS))}s`
  return `${Math.floor(ageMs / MINUTE_MS)}m`
}

/** Whether what is on the screen is pushed, asked for, or old; the age stays out of what is read. */
export function ConnectionBadge() {
  const { state, ageMs } = useAtomValue(connectionAtom)
  const { text, tone, dot } = looks[state]
  return (
    <span
      className={classNames(
        'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium',
        tone,
      )}
    >
      <span aria-hidden="true" className={classNames('size-1.5 rounded-full', dot)} />
      <span role="status">
        <span className="sr-only">Connection: </span>
        {text}
      </span>
      {(state === 'polling' || state === 'offline') && (
        <span className="opacity-80">{ageText(ageMs)}</span>
      )}
    </span>
  )
}
