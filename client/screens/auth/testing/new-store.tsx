import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import type { ReactNode } from 'react'
import { queryClient } from '#client/data/query-cache.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { configureTestingLibrary } from '#client/testing/testing-library.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'

export const member = aUser({ id: 1, username: 'anh', email: 'anh@example.com' })

/** Clears the cache and the toast of an earlier test and navigates to the path. */
export function standAt(path: string): void {
  queryClient.clear()
  clearToast()
  window.history.replaceState(null, '', path)
}

export function showInNewStore(content: ReactNode) {
  configureTestingLibrary()
  render(<Provider store={createStore()}>{content}</Provider>)
  return userEvent.setup({ delay: null })
}
