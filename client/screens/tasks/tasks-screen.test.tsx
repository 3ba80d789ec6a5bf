import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dateText, timeText } from '#client/format/dates.ts'
import { i18n } from '#client/language/language.ts'
import { changeLanguage } from '#client/language/load-texts.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { json, refusal } from '#client/testing/server.ts'
import { TASKS, taskList } from '#client/testing/tasks.ts'
import { DAY_MS } from '#rules/constants'
import type { Task } from '#rules/snapshots'
import {
  allDone,
  at,
  card,
  claimButton,
  done,
  memory,
  openTasks,
  progressText,
  setPaid,
  startTasks,
} from './testing/open-tasks.tsx'

beforeEach(startTasks)
afterEach(() => void vi.unstubAllGlobals())

describe('task list', () => {
  it('the tasks screen shows a spinner before the answer', async () => {
    const { server } = openTasks({ 'GET /api/tasks/completed': () => new Promise(() => {}) })
    await waitFor(() => expect(server.count('GET /api/tasks/completed')).toBe(1))
    expect(screen.getByText('Loading tasks...')).toBeTruthy()
  })

  it('a task shows its platform, action, description, reward and link', async () => {
    openTasks()
    const follow = await card('Follow us on Twitter')
    expect(follow.getByText('Twitter · Follow')).toBeTruthy()
    expect(follow.getByText(/Follow the TESP Network account on Twitter/)).toBeTruthy()
    expect(follow.getByText('+2 TESP')).toBeTruthy()
    expect(follow.queryByText('Daily')).toBeNull()
    const visit = await follow.findByRole('link', { name: /^Visit/ })
    expect(visit.getAttribute('href')).toBe('https://twitter.example/tesp')
    expect(visit.getAttribute('target')).toBe('_blank')
    expect(visit.getAttribute('rel')).toBe('noopener noreferrer')
    expect((await card('Join our Telegram')).getByText('+1 TESP')).toBeTruthy()
  })

  it('Visit is disabled if the task has no link', async () => {
    openTasks({
      'GET /api/tasks': () => json(taskList(TASKS.map((task) => ({ ...task, link: null })))),
    })
    const visit = (await card('Follow us on Twitter')).getByRole('button', { name: /^Visit/ })
    expect((visit as HTMLButtonElement).disabled).toBe(true)
  })

  it('Claim Reward of a task by trust is quiet until Visit was pressed on this device', async () => {
    const { user } = openTasks()
    const look = async () => (await claimButton('Follow us on Twitter')).className
    const quiet = await look()
    expect(quiet).not.toContain('from-mint')
    expect((await card('Follow us on Twitter')).getByText(/paid on trust/)).toBeTruthy()
    const visit = (await card('Follow us on Twitter')).getByRole('link', { name: /^Visit/ })
    visit.addEventListener('click', (event) => event.preventDefault())
    await user.click(visit)
    expect(await look()).toContain('from-mint')
    expect((await claimButton('Join our Telegram')).className).toBe(quiet)
    expect(JSON.parse(localStorage.getItem('visitedTasks') ?? '')).toEqual({
      7: ['follow_twitter'],
    })
  })

  it('a full task says so and cannot be claimed', async () => {
    const [task, ...others] = TASKS.map((each) => ({ ...each }))
    openTasks({
      'GET /api/tasks': () => json(taskList([{ ...task, state: 'full' } as Task, ...others])),
    })
    const button = (await card('Follow us on Twitter')).getByRole('button', { name: 'All claimed' })
    expect((button as HTMLButtonElement).disabled).toBe(true)
    expect(screen.getByRole('tab', { name: `Pending (${TASKS.length - 1})` })).toBeTruthy()
  })

  it('texts of tasks follow the language on the screen', async () => {
    openTasks()
    await card('Follow us on Twitter')
    await act(() => changeLanguage('vi'))
    expect(
      await screen.findByRole('heading', { name: 'Tham gia Telegram của chúng tôi' }),
    ).toBeTruthy()
    await act(() => changeLanguage('en'))
  })

  it('the progress card shows completed tasks, percent and TESP earned', async () => {
    setPaid(done('follow_twitter'))
    openTasks()
    const progress = within(await screen.findByRole('region', { name: 'Your progress' }))
    expect(progress.getByText(progressText(1))).toBeTruthy()
    expect(progress.getByText(`${Math.round(100 / TASKS.length)}%`)).toBeTruthy()
    expect(progress.getByText('2.0')).toBeTruthy()
  })

  it('a completed task shows its time and cannot be claimed again', async () => {
    setPaid(done('follow_twitter'))
    openTasks()
    const follow = await card('Follow us on Twitter')
    expect(follow.getByText(`Completed on ${dateText(at)} at ${timeText(at)}`)).toBeTruthy()
    expect(follow.getByText(/^Completed on .*2026.* at \d/)).toBeTruthy()
    expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed')
    expect((await claimButton('Follow us on Twitter')).disabled).toBe(true)
  })
})

describe('task tabs', () => {
  const tab = (name: string) => screen.findByRole('tab', { name })

  it('the task tabs count and show their tasks', async () => {
    setPaid(done('follow_twitter'))
    const { user } = openTasks()
    expect(await tab(`All Tasks (${TASKS.length})`)).toBeTruthy()
    await user.click(await tab(`Pending (${TASKS.length - 1})`))
    expect(screen.queryByText('Follow us on Twitter')).toBeNull()
    expect(screen.getByText('Join our Telegram')).toBeTruthy()
    await user.click(await tab('Completed (1)'))
    expect(screen.getByText('Follow us on Twitter')).toBeTruthy()
    expect(screen.queryByText('Join our Telegram')).toBeNull()
  })

  it('the Completed tab says when no task is completed', async () => {
    const { user } = openTasks()
    await user.click(await tab('Completed (0)'))
    expect(screen.getByText('No completed tasks yet')).toBeTruthy()
  })

  it('the Pending tab says when all tasks are completed', async () => {
    setPaid(...allDone())
    const { user } = openTasks()
    await user.click(await tab('Pending (0)'))
    expect(screen.getByText('All tasks completed!')).toBeTruthy()
  })
})

describe('refreshing', () => {
  const refreshButton = () => screen.findByRole('button', { name: 'Refresh' })

  it('Refresh reads the completed tasks again and shows a toast', async () => {
    const { user } = openTasks()
    await claimButton('Follow us on Twitter')
    setPaid(done('follow_twitter'))
    await user.click(await refreshButton())
    expect(await findToast('Đã làm mới')).toBeTruthy()
    expect(await screen.findByText(progressText(1))).toBeTruthy()
  })

  it('a failed refresh shows a toast and keeps the tasks', async () => {
    let isDown = false
    const { user } = openTasks({
      'GET /api/tasks/completed': () =>
        isDown ? refusal(500, 'Something went wrong') : json({ completedTasks: [] }),
    })
    await claimButton('Follow us on Twitter')
    isDown = true
    await user.click(await refreshButton())
    expect(await findToast('Lỗi làm mới')).toBeTruthy()
    expect(await claimButton('Follow us on Twitter')).toBeTruthy()
  })
})

describe('loading', () => {
  it('a failed read shows the server message and offers Try Again', async () => {
    let isDown = true
    const { user } = openTasks({
      'GET /api/tasks/completed': () =>
        isDown ? refusal(500, 'Something went wrong') : json({ completedTasks: [] }),
    })
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await claimButton('Follow us on Twitter')).toBeTruthy()
  })

  it('the server message is translated, though its translation is not loaded yet', async () => {
    await changeLanguage('vi')
    i18n.removeResourceBundle('vi', 'errors')
    openTasks({ 'GET /api/tasks/completed': () => refusal(500, 'Something went wrong') })
    expect(await screen.findByText('Đã xảy ra lỗi')).toBeTruthy()
    await act(() => changeLanguage('en'))
  })

  it('tasks that cannot be read show the server message and offer Try Again', async () => {
    let isDown = true
    const { user } = openTasks({
      'GET /api/tasks': () => (isDown ? refusal(500, 'Something went wrong') : json(taskList())),
    })
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
    isDown = false
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await claimButton('Follow us on Twitter')).toBeTruthy()
  })

  it('a task that starts by itself is read at its time', async () => {
    let hasStarted = false
    openTasks({
      'GET /api/tasks': () =>
        json(hasStarted ? taskList() : { ...taskList(TASKS.slice(1)), changesInMs: 900 }),
    })
    await claimButton('Join our Telegram')
    expect(screen.queryByText('Follow us on Twitter')).toBeNull()
    hasStarted = true
    expect(await screen.findByText('Follow us on Twitter')).toBeTruthy()
  })

  it.each([
    ['a device with the time of the server', 0],
    ['a device whose clock is a day behind', DAY_MS],
    ['a device whose clock is a day ahead', -DAY_MS],
  ])('a daily task pays again after midnight on an open page of %s', async (_, behindMs) => {
    // The server's day ends after a tenth of a second.
    const first = Math.ceil((Date.now() + behindMs) / DAY_MS) * DAY_MS - 100
    const daily: Task[] = TASKS.map((task) => ({ ...task, dailyLimit: 1 }))
    const lists = [
      { ...taskList(daily), asOf: first },
      { ...taskList(daily), asOf: first + 200 },
    ]
    let isOver = false
    const completedTasks = [
      { ...done('join_telegram'), completedAt: new Date(first).toISOString() },
    ]
    openTasks({
      'GET /api/tasks': () => json(lists[isOver ? 1 : 0]),
      'GET /api/tasks/completed': () => json({ completedTasks }),
    })
    await waitFor(async () => expect(isDisabled(await claimButton('Join our Telegram'))).toBe(true))
    isOver = true
    await waitFor(async () =>
      expect(isDisabled(await claimButton('Join our Telegram'))).toBe(false),
    )
  })

  it('a 401 triggers a re-check of the signed-in user', async () => {
    const { server } = openTasks({
      'GET /api/tasks/completed': () => refusal(401, 'Please sign in'),
      'GET /api/user': () => json(aUser()),
    })
    expect(await screen.findByText(progressText(0))).toBeTruthy()
    await waitFor(() => expect(server.count('GET /api/user')).toBe(1))
    expect(memory()).toEqual({})
  })
})
