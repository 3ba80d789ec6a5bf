import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#client/data/api.ts'
import { serverNow } from '#client/data/server-clock.ts'
import { agoText } from '#client/format/ages.ts'
import { connectionAtom } from '#client/live/connection-state.ts'
import { ErrorCard } from '#client/ui/error-card.tsx'
import { SECOND_MS } from '#rules/constants'

type LoadErrorProps = {
  title: string
  text?: string
  /** Why it failed, after `text`; by default whether the server answered. */
  cause?: string
  /** The first read, which failed; while it is repeated it counts as pending again. */
  query: { error: unknown; refetch: () => unknown }
}

export function LoadError({ title, text = '', cause, query }: LoadErrorProps) {
  const { t } = useTranslation('layout')
  const { state } = useAtomValue(connectionAtom)
  const isAnswered = query.error instanceof ApiError
  const why = cause ?? t(isAnswered ? 'connection.badAnswer' : 'connection.check')
  const note = state === 'offline' ? t('connection.loadsOnline') : undefined
  const onRetry = () => void query.refetch()
  return <ErrorCard title={title} text={`${text} ${why}`.trim()} note={note} onRetry={onRetry} />
}

/** Polled figures below this age are not marked. */
const FRESH_MS = 10 * SECOND_MS

/** `asOf`: when the server read the values, of a screen that gets no pushes. */
export function StaleNote({ asOf }: { asOf?: number }) {
  const { t } = useTranslation('layout')
  const { state, ageMs } = useAtomValue(connectionAtom)
  if (state === 'live' || ageMs < FRESH_MS) return null
  const valueMs = asOf === undefined ? 0 : serverNow() - asOf
  return (
    <span className="rounded-full border border-amber-line bg-amber-soft px-2.5 py-0.5 text-xs text-amber">
      {t('connection.lastKnown', { age: agoText(Math.max(ageMs, valueMs)) })}
    </span>
  )
}
