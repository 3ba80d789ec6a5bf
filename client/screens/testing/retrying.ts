import { act, screen } from '@testing-library/react'
import { expect, vi } from 'vitest'
import { refusal, type serve } from '#client/testing/server.ts'
import type { RouteName } from '#contract/routes'

export const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

export const isShown = (text: string | RegExp) => screen.queryAllByText(text).length > 0

export const unavailable = () => refusal(503, 'Service temporarily unavailable', 'unavailable')

/** Advances the fake timers until a text is shown, for at most 20 s; a toast is gone after 5 s. */
export async function passUntilShown(text: string | RegExp): Promise<void> {
  for (let seconds = 0; seconds < 20 && !isShown(text); seconds++) await pass(1_000)
  expect(isShown(text)).toBe(true)
}

/** The idempotency keys of all requests to the route, in the order they were sent. */
export function keysOf({ sent }: ReturnType<typeof serve>, route: RouteName): (string | null)[] {
  return sent
    .filter((one) => one.route === route)
    .map(({ headers }) => headers.get('Idempotency-Key'))
}

export const retryingButton = () =>
  screen.getByText('Retrying…').closest<HTMLButtonElement>('button')
