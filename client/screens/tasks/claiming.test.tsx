import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { json, refusal } from '#client/testing/server.ts'
import { TASKS, taskList } from '#client/testing/tasks.ts'
import { claimTask } from './task-commands.ts'
import {
  at,
  card,
  claimButton,
  done,
  memory,
  openTasks,
  paidTasks,
  progressText,
  setPaid,
  startTasks,
} from './testing/open-tasks.tsx'

beforeEach(startTasks)
afterEach(() => void vi.unstubAllGlobals())

describe('claiming', () => {
  it('a claim pays the reward, shows a toast and is remembered on the device', async () => {
    const { server, user } = openTasks()
    await user.click(await claimButton('Follow us on Twitter'))
    const text = 'You have received the reward for this task! Check your wallet balance.'
    expect(await findToast(text)).toBeTruthy()
    await waitFor(async () =>
      expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed'),
    )
    const sent = server.sent.find(({ route }) => route === 'POST /api/tasks/complete')
    expect(JSON.parse(String(sent?.init.body))).toEqual({ taskId: 'follow_twitter' })
    expect(sent?.headers.get('Idempotency-Key')).toBeTruthy()
    expect(Object.keys(memory()['7'])).toEqual(['follow_twitter'])
  })

  it('a claim in the Pending tab leaves the focus in the tab', async () => {
    const { user } = openTasks()
    await user.click(await screen.findByRole('tab', { name: 'Pending (2)' }))
    for (const [title, left] of [
      ['Follow us on Twitter', 1],
      ['Join our Telegram', 0],
    ] as const) {
      await user.click(await claimButton(title))
      const tab = await screen.findByRole('tab', { name: `Pending (${left})` })
      expect(document.activeElement?.getAttribute('aria-labelledby')).toBe(tab.id)
      expect(document.activeElement?.getAttribute('tabindex')).toBe('0')
    }
  })

  it('a paid task shows as claimed even if the completed tasks cannot be read again', async () => {
    let isDown = false
    const { user } = openTasks({
      'GET /api/tasks/completed': () =>
        isDown ? refusal(500, 'Something went wrong') : json({ completedTasks: [] }),
    })
    const button = await claimButton('Follow us on Twitter')
    isDown = true
    await user.click(button)
    await waitFor(async () =>
      expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed'),
    )
  })

  it('a stale response does not undo a claim', async () => {
    let answer = (_: Response) => {}
    let slow = false
    const { server, user } = openTasks({
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
    await waitFor(() => expect(server.count('GET /api/tasks/completed')).toBe(2))
    slow = false
    await user.click(await claimButton('Follow us on Twitter'))
    await findToast('You have received the reward for this task! Check your wallet balance.')
    answer(json({ completedTasks: [] }))
    await findToast('Đã làm mới')
    expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed')
    expect(Object.keys(memory()['7'])).toEqual(['follow_twitter'])
  })

  it('the claim button is busy until the answer arrives', async () => {
    let answer = (_: Response) => {}
    const { server, user } = openTasks({
      'POST /api/tasks/complete': () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    })
    await user.click(await claimButton('Join our Telegram'))
    expect((await claimButton('Join our Telegram')).getAttribute('aria-busy')).toBe('true')
    expect(isDisabled(await claimButton('Join our Telegram'))).toBe(true)
    expect(isDisabled(await claimButton('Follow us on Twitter'))).toBe(false)
    await waitFor(() => expect(server.count('POST /api/tasks/complete')).toBe(1))
    answer(refusal(429, 'Too many requests'))
    await findToast('Too many requests')
    await waitFor(async () =>
      expect(isDisabled(await claimButton('Join our Telegram'))).toBe(false),
    )
  })

  it('a rejected claim shows the server message', async () => {
    const { user } = openTasks({
      'POST /api/tasks/complete': () => refusal(429, 'Too many requests'),
    })
    await user.click(await claimButton('Join our Telegram'))
    expect(await findToast('Error')).toBeTruthy()
    expect(await findToast('Too many requests')).toBeTruthy()
  })

  it('a failed claim without a server message shows the fallback message', async () => {
    const { user } = openTasks({
      'POST /api/tasks/complete': () => new Response('', { status: 500 }),
    })
    await user.click(await claimButton('Join our Telegram'))
    expect(await findToast('Could not claim reward')).toBeTruthy()
  })

  it('a claim of an unknown task is rejected without a request', async () => {
    const { server } = openTasks()
    await claimButton('Follow us on Twitter')
    await act(() => claimTask('follow_nobody'))
    expect(await findToast('Cannot Claim Reward')).toBeTruthy()
    expect(await findToast('Task does not exist!')).toBeTruthy()
    expect(server.count('POST /api/tasks/complete')).toBe(0)
  })
})

it('a task that the server no longer knows cannot be claimed, whatever its message says', async () => {
  const { user } = openTasks({
    'POST /api/tasks/complete': () => refusal(404, 'No such task', 'task_unknown'),
  })
  await user.click(await claimButton('Follow us on Twitter'))
  expect(await findToast('Cannot Claim Reward')).toBeTruthy()
  expect(await findToast('Task does not exist!')).toBeTruthy()
})

describe('code words', () => {
  const coded = () => json(taskList(TASKS.map((task) => ({ ...task, check: 'code' as const }))))

  it('a claim sends the code word; a wrong one shows the server message and can be corrected', async () => {
    const paidOnce = () => {
      setPaid(done('follow_twitter'))
      return json({ success: true, message: '', reward: { amount: 2, type: 'TESP' } })
    }
    const { server, user } = openTasks({
      'GET /api/tasks': coded,
      'POST /api/tasks/complete': ({ body }) =>
        (body as { code: string }).code === 'mint'
          ? paidOnce()
          : refusal(400, 'The code word is not correct', 'task_code_wrong'),
    })
    const field = (await card('Follow us on Twitter')).getByRole('textbox', { name: 'Code word' })
    expect((await card('Follow us on Twitter')).queryByText(/paid on trust/)).toBeNull()
    await user.type(field, 'mind{Enter}')
    expect(await findToast('The code word is not correct')).toBeTruthy()
    await user.clear(field)
    await user.type(field, ' mint ')
    await waitFor(async () =>
      expect(isDisabled(await claimButton('Follow us on Twitter'))).toBe(false),
    )
    await user.click(await claimButton('Follow us on Twitter'))
    await findToast('You have received the reward for this task! Check your wallet balance.')
    await waitFor(() => expect(screen.getAllByRole('textbox')).toHaveLength(1))
    const title = screen.getByRole('heading', { name: 'Follow us on Twitter' })
    expect(document.activeElement).toBe(title.closest('li'))
    const sent = server.sent.filter(({ route }) => route === 'POST /api/tasks/complete')
    expect(sent.map(({ body }) => body)).toEqual([
      { taskId: 'follow_twitter', code: 'mind' },
      { taskId: 'follow_twitter', code: 'mint' },
    ])
  })

  it('an empty code word sends nothing', async () => {
    const { server, user } = openTasks({ 'GET /api/tasks': coded })
    await user.click(await claimButton('Follow us on Twitter'))
    expect(server.count('POST /api/tasks/complete')).toBe(0)
  })
})

describe('second claim', () => {
  const text = 'You have already claimed the reward for this task!'

  it('a task claimed in another tab is not claimed again', async () => {
    const { server, user } = openTasks()
    const button = await claimButton('Follow us on Twitter')
    setPaid(done('follow_twitter'))
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    await user.click(button)
    expect(await findToast('Already Claimed')).toBeTruthy()
    expect(await findToast(text)).toBeTruthy()
    expect(server.count('POST /api/tasks/complete')).toBe(0)
    await waitFor(() => expect(screen.getByText(progressText(1))).toBeTruthy())
  })

  it('a second claim rejected by the server is remembered on the device', async () => {
    const { user } = openTasks({
      'POST /api/tasks/complete': () => {
        setPaid(done('follow_twitter'))
        return refusal(409, 'You have already claimed the reward for this task', 'task_claimed')
      },
    })
    await user.click(await claimButton('Follow us on Twitter'))
    expect(await findToast('Already Claimed')).toBeTruthy()
    expect(await findToast(text)).toBeTruthy()
    await waitFor(() => expect(Object.keys(memory()['7'])).toEqual(['follow_twitter']))
  })
})
