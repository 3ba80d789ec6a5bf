import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { receiveSnapshot } from '#client/data/member-data.ts'
import { storage } from '#client/data/storage.ts'
import { watchAbsence } from '#client/live/away-credits.ts'
import { anActiveStatus, aSession } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { serve } from '#client/testing/server.ts'
import { openMine } from './testing/open-mine.tsx'

const WELCOME = 'Welcome to the next generation of AI-powered mining technology'
let watch: ReturnType<typeof watchAbsence> | undefined

beforeEach(() => {
  serve({})
  startAs()
})
afterEach(() => {
  act(() => watch?.stop())
  watch = undefined
  vi.unstubAllGlobals()
})

/** The member has seen `count` credits of the session of the fixtures, and comes back. */
function comeBack(count: number, credited: string) {
  storage.writeFor(7, 'seenCredits', { sessionId: 5, count, credited })
  watch = watchAbsence(7)
  const status = anActiveStatus({ session: aSession() })
  receiveSnapshot('/api/mining/status', status)
  watch.onStatus()
  openMine(status)
}

it.each([
  [0, '0.00000000', 'While you were away: 3 credits, +0.1000 TESP'],
  [2, '0.06666667', 'While you were away: 1 credit, +0.0333 TESP'],
])('a member who has seen %i of 3 credits reads what they missed', (count, credited, text) => {
  comeBack(count, credited)
  expect(screen.getByText(text).closest('[role="status"]')).toBeTruthy()
})

it('the note is gone once it is dismissed by key, and the focus stays on the page', async () => {
  comeBack(1, '0.03333333')
  expect(screen.getByText(WELCOME).className).toContain('opacity-0')
  act(() => screen.getByRole('button', { name: 'Dismiss' }).focus())
  await userEvent.keyboard('{Enter}')
  expect(screen.queryByText(/^While you were away/)).toBeNull()
  expect(screen.getByText(WELCOME).className).not.toContain('opacity-0')
  expect(document.activeElement?.id).toBe('main')
})

it('a member who has seen every credit reads no note', () => {
  comeBack(3, '0.10000000')
  expect(screen.queryByText(/^While you were away/)).toBeNull()
  act(() => watch?.onStatus())
  expect(screen.queryByText(/^While you were away/)).toBeNull()
})
