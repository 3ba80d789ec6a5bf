import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { json, refusal } from '#client/testing/server.ts'
import { card, openTasks, startTasks } from './testing/open-tasks.tsx'

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const shown = (text: string) => screen.queryAllByText(text).length > 0
const button = async () =>
  (await card('Join our Telegram')).getByRole('button', { name: /Claim|Re/ })

beforeEach(() => {
  startTasks()
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a claim that is answered with 503 is sent again under its key', async () => {
  const answers = [refusal(503, 'Service temporarily unavailable')]
  const { server } = openTasks({
    'POST /api/tasks/complete': () =>
      answers.pop() ?? json({ success: true, message: '', reward: { amount: 1, type: 'TESP' } }),
  })
  fireEvent.click(await button())
  await pass(500)
  expect((await button()).textContent).toContain('Retrying…')
  expect(await button()).toHaveProperty('disabled', true)
  await pass(1_500)
  expect(shown('You have received the reward for this task! Check your wallet balance.')).toBe(true)
  const sent = server.sent.filter(({ route }) => route === 'POST /api/tasks/complete')
  expect(sent).toHaveLength(2)
  expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1)
})

it('a claim fails where 7 seconds do not help, and stays remembered', async () => {
  openTasks({ 'POST /api/tasks/complete': () => new Response('', { status: 504 }) })
  fireEvent.click(await button())
  await pass(6_500)
  expect(shown('Could not claim reward')).toBe(false)
  await pass(1_500)
  expect(shown('Could not claim reward')).toBe(true)
  expect((await button()).textContent).toBe('Claim Reward')
  expect(sessionStorage).toHaveLength(1)
})
