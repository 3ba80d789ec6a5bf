import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createStore, Provider } from 'jotai'
import type { ReactNode } from 'react'
import { queryClient } from '#client/data/member-data.ts'
import { bePatient } from '#client/testing/timeouts.ts'
import { clearToast } from '#client/ui/toast.tsx'

/** Forgets what an earlier test left behind and stands at that address. */
export function standAt(path: string): void {
  queryClient.clear()
  clearToast()
  window.history.replaceState(null, '', path)
}

/** Shows it with atoms that know nothing yet. */
export function show(content: ReactNode) {
  bePatient()
  render(<Provider store={createStore()}>{content}</Provider>)
  return userEvent.setup({ delay: null })
}

/** Waits for a notification that says so; what is read out to a screen reader does not count. */
export function said(text: string | RegExp): Promise<HTMLElement> {
  return screen.findByText(text, { selector: 'ol li *' })
}
