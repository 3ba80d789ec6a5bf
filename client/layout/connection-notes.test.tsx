import { act, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { ApiError } from '#client/data/api.ts'
import { showRestored, socketUp } from '#client/live/connection-state.ts'
import { show } from '#client/testing/render.tsx'
import { LoadError } from './connection-notes.tsx'

beforeEach(() => showRestored(Date.now() - 60_000))

const text = () => screen.getByRole('alert').textContent?.replace(/Try Again$/, '')

it('a load error blames the connection if there was no answer, else the server', () => {
  const loading = (error: unknown) => (
    <LoadError
      title="Failed to load"
      text="What you own is safe."
      query={{ error, refetch: () => {} }}
    />
  )
  const { unmount } = show(loading(new TypeError('Failed to fetch')))
  const offline = 'You are offline. This loads when you are back.'
  const check = 'What you own is safe. Check your connection and try again.'
  expect(text()).toBe(`Failed to load${check}${offline}`)
  act(() => socketUp())
  expect(text()).toBe(`Failed to load${check}`)
  unmount()
  show(loading(new ApiError(500, 'Internal')))
  const badAnswer = 'The server did not answer properly. Please try again.'
  expect(text()).toBe(`Failed to loadWhat you own is safe. ${badAnswer}`)
})

it('a load error whose cause is known shows no other', () => {
  socketUp()
  const query = { error: new ApiError(429, ''), refetch: () => {} }
  show(<LoadError title="Failed to load" cause="Too many requests." query={query} />)
  expect(text()).toBe('Failed to loadToo many requests.')
})
