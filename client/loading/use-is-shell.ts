import { useSyncExternalStore } from 'react'

const neverChanges = () => () => {}

/**
 * Whether the build renders the shell of a screen: nothing in it works before the client replaces it,
 * so it shows no field that could be filled in.
 */
export function useIsShell(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  )
}
