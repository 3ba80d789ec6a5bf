import { act, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { showRestored, socketUp } from '#client/live/connection-state.ts'
import { show } from '#client/testing/render.tsx'
import { LoadError } from './connection-notes.tsx'

beforeEach(() => showRestored(Date.now() - 60_000))

const text = () => screen.getByRole('alert').textContent

it('a load error names a missing connection until it is back, then the answer of the server', () => {
  show(<LoadError title="Failed to load" text="What you own is safe." />)
  const offline = 'You are offline. This loads when you are back.'
  const check = 'What you own is safe. Check your connection and try again.'
  expect(text()).toBe(`Failed to load${check}${offline}`)
  act(() => socketUp())
  const badAnswer = 'The server did not answer properly. Please try again.'
  expect(text()).toBe(`Failed to loadWhat you own is safe. ${badAnswer}`)
})

it('a load error whose cause is known shows no other', () => {
  socketUp()
  show(<LoadError title="Failed to load" cause="Too many requests." />)
  expect(text()).toBe('Failed to loadToo many requests.')
})
