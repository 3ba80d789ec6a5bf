import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { showRestored, socketUp } from '#client/live/connection-state.ts'
import { show } from '#client/testing/render.tsx'
import { LoadError } from './connection-notes.tsx'

it('a load error names a missing connection until it is back', () => {
  showRestored(Date.now() - 60_000)
  show(<LoadError title="Failed to load" text="Try again." />)
  const note = 'You are offline. This loads when you are back.'
  expect(screen.getByRole('alert').textContent).toContain(note)
  act(() => socketUp())
  expect(screen.getByRole('alert').textContent).toBe('Failed to loadTry again.')
})
