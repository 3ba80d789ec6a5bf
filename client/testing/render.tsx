import { render } from '@testing-library/react'
import { Provider } from 'jotai'
import type { ReactElement } from 'react'
import { memberIdAtom, setUser, store } from '#client/data/member-data.ts'
import { Toaster } from '#client/ui/toast.tsx'
import { TooltipProvider } from '#client/ui/tooltip.tsx'
import type { User } from '#rules/snapshots'
import { aUser } from './fixtures.ts'
import { bePatient } from './timeouts.ts'

let follows = false

/** Forgets everything and signs somebody in, or nobody. */
export function startAs(user: User | null = aUser()): void {
  setUser(null)
  setUser(user)
  // As in the app, where the live connection follows who is signed in.
  if (!follows) store.sub(memberIdAtom, () => {})
  follows = true
}

/** Renders with what stands once around the app. */
export function show(element: ReactElement) {
  bePatient()
  return render(
    <Provider store={store}>
      <TooltipProvider>
        {element}
        <Toaster />
      </TooltipProvider>
    </Provider>,
  )
}
