import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, refusal } from '#client/testing/server.ts'
import { TASKS, taskList } from '#client/testing/tasks.ts'
import type { Task, TelegramAccount } from '#rules/snapshots'
import { claimButton, openTasks, startTasks } from './testing/open-tasks.tsx'

const CHANNEL = { ...TASKS[1], id: 'channel', check: 'telegram' } as Task
const NEW: TelegramAccount = { bot: 'tesp_bot', linked: null }
const LINKED: TelegramAccount = { ...NEW, linked: { name: '@mai', since: '2026-03-01T12:00:00Z' } }
const URL = 'https://t.me/tesp_bot?start=code'

let account = NEW
beforeEach(startTasks)
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open(first: TelegramAccount, handlers: Parameters<typeof openTasks>[0] = {}) {
  account = first
  const opened = openTasks({
    'GET /api/tasks': () => json(taskList([CHANNEL])),
    'GET /api/telegram': () => json(account),
    'POST /api/telegram/link': () => json({ url: URL }),
    'POST /api/telegram/unlink': () => {
      account = NEW
      return json(NEW)
    },
    ...handlers,
  })
  await act(async () => void (await import('./telegram-claim.tsx')))
  return opened
}
const press = async (name: string) => {
  const button = await screen.findByRole('button', { name })
  await act(async () => button.click())
}
const claim = () => claimButton('Join our Telegram')

it('an account is linked in Telegram, which the open page notices', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  await open(NEW)
  await screen.findByText('Your Telegram account is not linked.')
  expect(isDisabled(await claim())).toBe(true)
  await press('Link Telegram')
  const link = await screen.findByRole('link', { name: /^Open Telegram/ })
  expect(link.getAttribute('href')).toBe(URL)
  account = LINKED
  await act(() => vi.advanceTimersByTimeAsync(3_500))
  await screen.findByText('Linked: @mai')
  expect(isDisabled(await claim())).toBe(false)
})

it('the focus stays in the task when Link Telegram, and later the link, is replaced', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  startAs(aUser({ id: 10 }))
  await open(NEW)
  const expectFocusAround = (element: HTMLElement) => {
    expect(document.activeElement).not.toBe(document.body)
    expect(document.activeElement?.contains(element)).toBe(true)
  }
  const button = await screen.findByRole('button', { name: 'Link Telegram' })
  act(() => button.focus())
  await act(async () => button.click())
  const link = await screen.findByRole('link', { name: /^Open Telegram/ })
  expectFocusAround(link)
  act(() => link.focus())
  account = LINKED
  await act(() => vi.advanceTimersByTimeAsync(3_500))
  expectFocusAround(await screen.findByText('Linked: @mai'))
})

it('a link is not offered to a member who signs in after the one who asked for it', async () => {
  startAs(aUser({ id: 8 }))
  await open(NEW)
  await press('Link Telegram')
  await screen.findByRole('link', { name: /^Open Telegram/ })
  await act(async () => startAs(aUser({ id: 9 })))
  await screen.findByText('Your Telegram account is not linked.')
  expect(screen.queryByRole('link', { name: /^Open Telegram/ })).toBeNull()
})

it('a refused claim says why, and stays possible', async () => {
  const text =
    'Telegram does not list you as a member. Join with the linked account, then claim again'
  await open(LINKED, {
    'POST /api/tasks/complete': () => refusal(409, text, 'telegram_not_member'),
  })
  await screen.findByText('Linked: @mai')
  await act(async () => (await claim()).click())
  await findToast(text)
  await waitFor(async () => expect(isDisabled(await claim())).toBe(false))
})

it('an account is unlinked, and a failure is reported', async () => {
  let isDown = true
  await open(LINKED, {
    'POST /api/telegram/unlink': () => {
      if (isDown) return lost()
      account = NEW
      return json(NEW)
    },
  })
  await press('Unlink')
  await findToast('Your Telegram account was not changed')
  expect(await screen.findByText('Linked: @mai')).toBeTruthy()
  isDown = false
  await press('Unlink')
  await screen.findByText('Your Telegram account is not linked.')
})

it('without a bot on the server a member reads that nobody can claim', async () => {
  await open({ bot: null, linked: null })
  await screen.findByText('This task is not available at the moment.')
  expect(isDisabled(await claim())).toBe(true)
})

it('Refresh reads the Telegram account again that could not be read', async () => {
  const answers = [refusal(503, 'Please try again', 'unavailable')]
  await open(LINKED, { 'GET /api/telegram': () => answers.pop() ?? json(LINKED) })
  await screen.findByText(/Press Refresh to try again/)
  await press('Refresh')
  await screen.findByText('Linked: @mai')
})
