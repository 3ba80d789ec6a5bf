import { act, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { standAt } from '#client/screens/auth/testing/new-store.tsx'
import { aUser } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, serve } from '#client/testing/server.ts'
import { ErrorBoundary } from '#client/ui/error-card.tsx'
import { AccountScreen } from './account-screen.tsx'

vi.mock('./data-panel.tsx', () => ({
  DataPanel: () => {
    throw new Error('its code could not be loaded')
  },
}))

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('a view that cannot be shown leaves the way back to the profile', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  standAt('/account?view=data')
  serve({ 'GET /api/app': json({ flags: [], minimumVersion: null, taskLinks: {} }) })
  startAs(aUser())
  show(
    <ErrorBoundary>
      <AccountScreen />
    </ErrorBoundary>,
  )
  await screen.findByText('This screen could not be shown')
  const back = screen.getByRole('link', { name: 'Back to Account' })
  act(() => back.click())
  expect(await screen.findByLabelText('Full Name')).toBeTruthy()
})
