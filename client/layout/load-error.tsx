import { useAtomValue } from 'jotai'
import { connectionAtom } from '#client/live/connection-state.ts'
import { ErrorCard, type ErrorCardProps } from '#client/ui/error-card.tsx'

/** Reports that a screen could not be loaded, and names a missing connection. */
export function LoadError(props: ErrorCardProps) {
  const { state } = useAtomValue(connectionAtom)
  const note = state === 'offline' ? 'You are offline. This loads when you are back.' : undefined
  return <ErrorCard {...props} note={note} />
}
