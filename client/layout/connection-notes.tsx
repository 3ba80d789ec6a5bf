import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#client/data/api.ts'
import { agoText } from '#client/format/ages.ts'
import { connectionAtom } from '#client/live/connection-state.ts'
import { ErrorCard, type ErrorCardProps } from '#client/ui/error-card.tsx'
import { SECOND_MS } from '#rules/constants'

type LoadErrorProps = ErrorCardProps & {
  /** Of the read. */
  error?: unknown
  /** Why it failed, after `text`; by default whether the server answered. */
  cause?: string
}

export function LoadError({ text = '', error, cause, ...card }: LoadErrorProps) {
  const { t } = useTranslation('layout')
  const { state } = useAtomValue(connectionAtom)
  const why = cause ?? t(error instanceof ApiError ? 'connection.badAnswer' : 'connection.check')
  const note = state === 'offline' ? t('connection.loadsOnline') : undefined
  return <ErrorCard {...card} text={`${text} ${why}`.trim()} note={note} />
}

/** Polled figures below this age are not marked. */
const FRESH_MS = 10 * SECOND_MS

export function StaleNote() {
  const { t } = useTranslation('layout')
  const { state, ageMs } = useAtomValue(connectionAtom)
  if (state === 'live' || ageMs < FRESH_MS) return null
  return (
    <span className="rounded-full border border-amber-line bg-amber-soft px-2.5 py-0.5 text-xs text-amber">
      {t('connection.lastKnown', { age: agoText(ageMs) })}
    </span>
  )
}
