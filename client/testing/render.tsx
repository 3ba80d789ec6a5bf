import { render } from '@testing-library/react'
import { Provider } from 'jotai'
import type { ReactElement } from 'react'
import { definitionOf } from '#client/all-commands.ts'
import { startCommands } from '#client/commands/commands.ts'
import { onUnauthorized } from '#client/data/api.ts'
import { memberIdAtom, setUser } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { recheckUser } from '#client/data/refresh.ts'
import { Toaster } from '#client/ui/toasts/toaster.tsx'
import type { User } from '#rules/members/account-snapshots'
import { aUser } from './fixtures.ts'
import { setMemberCookie } from './server.ts'
import { configureTestingLibrary } from './testing-library.ts'

let started = false

/** Clears all member data, then signs a member in (or leaves no one signed in with null). */
export function startAs(user: User | null = aUser()): void {
  setMemberCookie(user?.id)
  setUser(null)
  setUser(user)
  if (started) return
  started = true
  // The app does this in `main.tsx`: the live connection and the commands follow the member, and a
  // rejected call reads again who is signed in.
  store.sub(memberIdAtom, () => {})
  onUnauthorized(recheckUser)
  startCommands(definitionOf)
}

/** Renders an element inside the providers of the app. */
export function show(element: ReactElement) {
  configureTestingLibrary()
  return render(
    <Provider store={store}>
      {element}
      <Toaster />
    </Provider>,
  )
}
