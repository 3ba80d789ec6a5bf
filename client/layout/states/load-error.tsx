import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { connectionAtom } from '#client/live/connection/connection-state.ts'
import { ErrorCard, type ErrorCardProps } from '#client/ui/error-card.tsx'

/** Reports that a screen could not be loaded, and names a missing connection. */
export function LoadError(props: ErrorCardProps) {
  const { t } = useTranslation('layout')
  const { state } = useAtomValue(connectionAtom)
  const note = state === 'offline' ? t('connection.loadsOnline') : undefined
  return <ErrorCard {...props} note={note} />
}
