import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { json, refusal } from '#client/testing/server.ts'
import { claimTask } from './task-actions.ts'
import {
  at,
  claimButton,
  done,
  memory,
  openTasks,
  paidTasks,
  said,
  setPaid,
  startTasks,
} from './testing/open-tasks.tsx'

beforeEach(startTasks)
afterEach(() => void vi.unstubAllGlobals())

describe('claiming', () => {
  it('pays, says so and remembers it on the device', async () => {
    const { server, user } = openTasks()
    await user.click(await claimButton('Follow us on Twitter'))
    const text = 'You have received the reward for this task! Check your wallet balance.'
    expect(await said(text)).toBeTruthy()
    await waitFor(async () =>
      expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed'),
    )
    const sent = server.sent.find(({ route }) => route === 'POST /api/tasks/complete')
    expect(JSON.parse(String(sent?.init.body))).toEqual({ taskId: 'follow_twitter' })
    expect(sent?.headers.get('Idempotency-Key')).toBeTruthy()
    expect(Object.keys(memory()['7'])).toEqual(['follow_twitter'])
  })

  it('shows as done even where the completed tasks cannot be read again', async () => {
    let broken = false
    const { user } = openTasks({
      'GET /api/tasks/completed': () =>
        broken ? refusal(500, 'Something went wrong') : json({ completedTasks: [] }),
    })
    const button = await claimButton('Follow us on Twitter')
    broken = true
    await user.click(button)
    await waitFor(async () =>
      expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed'),
    )
  })

  it('is not forgotten by an answer that was asked for before it', async () => {
    let answer = (_: Response) => {}
    let slow = false
    const { user } = openTasks({
      'GET /api/tasks/completed': () =>
        slow
          ? new Promise((resolve) => {
              answer = resolve
            })
          : json({ completedTasks: paidTasks() }),
    })
    await claimButton('Follow us on Twitter')
    slow = true
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    slow = false
    await user.click(await claimButton('Follow us on Twitter'))
    await said('You have received the reward for this task! Check your wallet balance.')
    answer(json({ completedTasks: [] }))
    await said('Đã làm mới')
    expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed')
    expect(Object.keys(memory()['7'])).toEqual(['follow_twitter'])
  })

  it('is busy until the answer comes', async () => {
    let answer = (_: Response) => {}
    const { user } = openTasks({
      'POST /api/tasks/complete': () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    })
    await user.click(await claimButton('Join our Telegram'))
    expect((await claimButton('Join our Telegram')).getAttribute('aria-busy')).toBe('true')
    expect((await claimButton('Join our Telegram')).disabled).toBe(true)
    expect((await claimButton('Follow us on Twitter')).disabled).toBe(false)
    answer(refusal(429, 'Too many requests'))
    await said('Too many requests')
    expect((await claimButton('Join our Telegram')).disabled).toBe(false)
  })

  it('repeats what the server says against it', async () => {
    const { user } = openTasks({
      'POST /api/tasks/complete': () => refusal(429, 'Too many requests'),
    })
    await user.click(await claimButton('Join our Telegram'))
    expect(await said('Error')).toBeTruthy()
    expect(await said('Too many requests')).toBeTruthy()
  })

  it('has words of its own where the server has none', async () => {
    const { user } = openTasks({
      'POST /api/tasks/complete': () => new Response('', { status: 500 }),
    })
    await user.click(await claimButton('Join our Telegram'))
    expect(await said('Could not claim reward')).toBeTruthy()
  })

  it('refuses a task that does not exist', async () => {
    const { server } = openTasks()
    await act(() => claimTask('follow_nobody'))
    expect(await said('Cannot Claim Reward')).toBeTruthy()
    expect(await said('Task does not exist!')).toBeTruthy()
    expect(server.count('POST /api/tasks/complete')).toBe(0)
  })
})

describe('a second claim', () => {
  const text = 'You have already claimed the reward for this task!'

  it('is blocked by what another tab remembers on the device', async () => {
    const { server, user } = openTasks()
    const button = await claimButton('Follow us on Twitter')
    setPaid(done('follow_twitter'))
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    await user.click(button)
    expect(await said('Already Claimed')).toBeTruthy()
    expect(await said(text)).toBeTruthy()
    expect(server.count('POST /api/tasks/complete')).toBe(0)
    await waitFor(() => expect(screen.getByText('1 of 2 completed')).toBeTruthy())
  })

  it('is refused by the server, which corrects the device', async () => {
    const { user } = openTasks({
      'POST /api/tasks/complete': () => {
        setPaid(done('follow_twitter'))
        return refusal(409, 'You have already claimed the reward for this task', 'task_claimed')
      },
    })
    await user.click(await claimButton('Follow us on Twitter'))
    expect(await said('Already Claimed')).toBeTruthy()
    expect(await said(text)).toBeTruthy()
    await waitFor(() => expect(Object.keys(memory()['7'])).toEqual(['follow_twitter']))
  })
})
