import { render } from '@testing-library/react'
import { Provider } from 'jotai'
import type { ReactElement } from 'react'
import { onUnauthorized } from '#client/data/api.ts'
import { memberIdAtom, recheckUser, setUser, store } from '#client/data/member-data.ts'
import { Toaster } from '#client/ui/toast.tsx'
import { TooltipProvider } from '#client/ui/tooltip.tsx'
import type { User } from '#rules/snapshots'
import { aUser } from './fixtures.ts'
import { extendTimeouts } from './timeouts.ts'

let started = false

/** Clears all member data, then signs a member in (or leaves no one signed in with null). */
export function startAs(user: User | null = aUser()): void {
  setUser(null)
  setUser(user)
  if (started) return
  started = true
  // The app does both in `main.tsx`: the live connection follows the member and a rejected call
  // reads again who is signed in.
  store.sub(memberIdAtom, () => {})
  onUnauthorized(recheckUser)
}

/** Renders an element inside the providers of the app. */
export function show(element: ReactElement) {
  extendTimeouts()
  return render(
    <Provider store={store}>
      <TooltipProvider>
        {element}
        <Toaster />
      </TooltipProvider>
    </Provider>,
  )
}
