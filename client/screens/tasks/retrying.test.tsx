import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  isShown,
  keysOf,
  pass,
  retryingButton,
  unavailable,
} from '#client/screens/testing/retrying.ts'
import { json } from '#client/testing/server.ts'
import { openTasks, startTasks } from './testing/open-tasks.tsx'

const COMPLETE = 'POST /api/tasks/complete'
const REWARDED = 'You have received the reward for this task! Check your wallet balance.'

beforeEach(() => {
  startTasks()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function claim(answer: () => Response) {
  const { server } = openTasks({ [COMPLETE]: answer })
  await pass(10)
  const card = screen.getByRole('heading', { name: 'Join our Telegram' }).closest('li')
  const button = within(card as HTMLElement).getByRole('button', { name: /Claim/ })
  fireEvent.click(button)
  return { server, button }
}

it('a task claim answered with 503 is sent again with the same key', async () => {
  const answers = [unavailable()]
  const reward = { amount: 1, type: 'TESP' }
  const { server, button } = await claim(
    () => answers.pop() ?? json({ success: true, message: '', reward }),
  )
  await pass(500)
  expect(retryingButton()).toBe(button)
  expect(button).toHaveProperty('disabled', true)
  await pass(1_500)
  expect(isShown(REWARDED)).toBe(true)
  const keys = keysOf(server, COMPLETE)
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

it('a task claim without an answer waits for the server after 7 seconds', async () => {
  const { button } = await claim(() => new Response('', { status: 504 }))
  await pass(6_900)
  expect(isShown('Waiting…')).toBe(false)
  await pass(200)
  expect(isShown('Waiting…')).toBe(true)
  expect(isShown('Could not claim reward')).toBe(false)
  expect(button).toHaveProperty('disabled', true)
})
