import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toast.tsx'
import type { CompletedTask } from '#rules/snapshots'
import { claimTask } from './task-actions.ts'
import { completedText } from './task-card.tsx'
import { TasksScreen } from './tasks-screen.tsx'

const at = new Date(NOW).toISOString()
const done = (taskId: string, rewardAmount = '2.00000000'): CompletedTask => {
  return { taskId, completedAt: at, rewardAmount, rewardType: 'TESP' }
}
const links = {
  follow_twitter: 'https://twitter.example/tesp',
  join_telegram: 'https://t.example/x',
}

/** What the server has paid for. */
let paid: CompletedTask[] = []

function open(handlers: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    'GET /api/app': () => json({ flags: [], minimumVersion: null, taskLinks: links }),
    'GET /api/tasks/completed': () => json({ completedTasks: paid }),
    'POST /api/tasks/complete': ({ init }) => {
      paid = [...paid, done(JSON.parse(String(init.body)).taskId)]
      return json({ success: true, message: '', reward: { amount: 2, type: 'TESP' } })
    },
    ...handlers,
  })
  show(<TasksScreen />)
  return { server, user: userEvent.setup({ delay: null }) }
}

const said = (text: string) => screen.findByText(text, { selector: 'ol li *' })
const card = async (title: string) =>
  within((await screen.findByRole('heading', { name: title })).closest('li') as HTMLElement)
const claimButton = async (title: string) =>
  (await card(title)).getByRole<HTMLButtonElement>('button', { name: /Claim/ })
const memory = () => JSON.parse(localStorage.getItem('completedTasks') ?? '{}')

beforeEach(() => {
  vi.stubGlobal('__APP_VERSION__', '0.1.0')
  localStorage.clear()
  clearToast()
  startAs()
  paid = []
})
afterEach(() => vi.unstubAllGlobals())

describe('the tasks', () => {
  it('are waited for', () => {
    open({ 'GET /api/tasks/completed': () => new Promise(() => {}) })
    expect(screen.getByText('Loading tasks...')).toBeTruthy()
  })

  it('show platform, action, description, reward and link', async () => {
    open()
    const follow = await card('Follow us on Twitter')
    expect(follow.getByText('Twitter · Follow')).toBeTruthy()
    expect(follow.getByText(/Follow the TESP Network account on Twitter/)).toBeTruthy()
    expect(follow.getByText('+2 TESP')).toBeTruthy()
    expect(follow.queryByText('Daily')).toBeNull()
    const visit = await follow.findByRole('link', { name: /^Visit/ })
    expect(visit.getAttribute('href')).toBe(links.follow_twitter)
    expect(visit.getAttribute('target')).toBe('_blank')
    expect(visit.getAttribute('rel')).toBe('noopener noreferrer')
    expect((await card('Join our Telegram')).getByText('+1 TESP')).toBeTruthy()
  })

  it('have no link to visit while it is unknown', async () => {
    open({ 'GET /api/app': () => refusal(500, 'Something went wrong') })
    const visit = (await card('Follow us on Twitter')).getByRole('button', { name: /^Visit/ })
    expect((visit as HTMLButtonElement).disabled).toBe(true)
  })

  it('say how far the member is', async () => {
    paid = [done('follow_twitter')]
    open()
    const progress = within(await screen.findByRole('region', { name: 'Your progress' }))
    expect(progress.getByText('1 of 2 completed')).toBeTruthy()
    expect(progress.getByText('50%')).toBeTruthy()
    expect(progress.getByText('2.0')).toBeTruthy()
  })

  it('show when one was completed', async () => {
    paid = [done('follow_twitter')]
    open()
    const follow = await card('Follow us on Twitter')
    expect(follow.getByText(completedText(at))).toBeTruthy()
    expect(completedText(at)).toMatch(/^Completed on .*2026.* at \d/)
    expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed')
    expect((await claimButton('Follow us on Twitter')).disabled).toBe(true)
  })
})

describe('the tabs', () => {
  const tab = (name: string) => screen.findByRole('tab', { name })

  it('count their tasks and show them', async () => {
    paid = [done('follow_twitter')]
    const { user } = open()
    expect(await tab('All Tasks (2)')).toBeTruthy()
    await user.click(await tab('Pending (1)'))
    expect(screen.queryByText('Follow us on Twitter')).toBeNull()
    expect(screen.getByText('Join our Telegram')).toBeTruthy()
    await user.click(await tab('Completed (1)'))
    expect(screen.getByText('Follow us on Twitter')).toBeTruthy()
    expect(screen.queryByText('Join our Telegram')).toBeNull()
  })

  it('say that nothing is completed yet', async () => {
    const { user } = open()
    await user.click(await tab('Completed (0)'))
    expect(screen.getByText('No completed tasks yet')).toBeTruthy()
  })

  it('say that all is completed', async () => {
    paid = [done('follow_twitter'), done('join_telegram', '1.00000000')]
    const { user } = open()
    await user.click(await tab('Pending (0)'))
    expect(screen.getByText('All tasks completed!')).toBeTruthy()
  })
})

describe('claiming', () => {
  it('pays, says so and remembers it on the device', async () => {
    const { server, user } = open()
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
    const { user } = open({
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
    const { user } = open({
      'GET /api/tasks/completed': () =>
        slow
          ? new Promise((resolve) => {
              answer = resolve
            })
          : json({ completedTasks: paid }),
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
    const { user } = open({
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
    const { user } = open({ 'POST /api/tasks/complete': () => refusal(429, 'Too many requests') })
    await user.click(await claimButton('Join our Telegram'))
    expect(await said('Error')).toBeTruthy()
    expect(await said('Too many requests')).toBeTruthy()
  })

  it('has words of its own where the server has none', async () => {
    const { user } = open({ 'POST /api/tasks/complete': () => new Response('', { status: 502 }) })
    await user.click(await claimButton('Join our Telegram'))
    expect(await said('Could not claim reward')).toBeTruthy()
  })

  it('refuses a task that does not exist', async () => {
    const { server } = open()
    await act(() => claimTask('follow_nobody'))
    expect(await said('Cannot Claim Reward')).toBeTruthy()
    expect(await said('Task does not exist!')).toBeTruthy()
    expect(server.count('POST /api/tasks/complete')).toBe(0)
  })
})

describe('a second claim', () => {
  const text = 'You have already claimed the reward for this task!'

  it('is blocked by what another tab remembers on the device', async () => {
    const { server, user } = open()
    const button = await claimButton('Follow us on Twitter')
    paid = [done('follow_twitter')]
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    await user.click(button)
    expect(await said('Already Claimed')).toBeTruthy()
    expect(await said(text)).toBeTruthy()
    expect(server.count('POST /api/tasks/complete')).toBe(0)
    await waitFor(() => expect(screen.getByText('1 of 2 completed')).toBeTruthy())
  })

  it('is refused by the server, which corrects the device', async () => {
    const { user } = open({
      'POST /api/tasks/complete': () => {
        paid = [done('follow_twitter')]
        return refusal(409, 'You have already claimed the reward for this task', 'task_claimed')
      },
    })
    await user.click(await claimButton('Follow us on Twitter'))
    expect(await said('Already Claimed')).toBeTruthy()
    expect(await said(text)).toBeTruthy()
    await waitFor(() => expect(Object.keys(memory()['7'])).toEqual(['follow_twitter']))
  })
})

describe('the memory of the device', () => {
  it('gives way to the server where it remembers too much', async () => {
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    open()
    expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claim Reward')
    expect(memory()['7']).toEqual({})
  })

  it('keeps what belongs to other members', async () => {
    localStorage.setItem('completedTasks', JSON.stringify({ 8: { follow_twitter: at } }))
    paid = [done('join_telegram')]
    open()
    await claimButton('Join our Telegram')
    expect(memory()).toEqual({ 7: { join_telegram: at }, 8: { follow_twitter: at } })
  })

  it('of one member does not block another', async () => {
    startAs(aUser({ id: 8 }))
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    const { server, user } = open()
    await user.click(await claimButton('Follow us on Twitter'))
    await said('You have received the reward for this task! Check your wallet balance.')
    expect(server.count('POST /api/tasks/complete')).toBe(1)
  })

  it.each(['no json', '[]', 'null', '{"7":"x"}', '{"7":{"follow_twitter":4}}'])(
    'may hold rubbish such as %s',
    async (rubbish) => {
      localStorage.setItem('completedTasks', rubbish)
      open()
      expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claim Reward')
    },
  )

  it('shows at once what another tab has claimed', async () => {
    open()
    await claimButton('Follow us on Twitter')
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    act(() => void window.dispatchEvent(new Event('storage')))
    expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed')
  })
})

describe('refreshing', () => {
  const refreshButton = () => screen.findByRole('button', { name: 'Refresh' })

  it('reads the completed tasks and says so', async () => {
    const { user } = open()
    await claimButton('Follow us on Twitter')
    paid = [done('follow_twitter')]
    await user.click(await refreshButton())
    expect(await said('Đã làm mới')).toBeTruthy()
    expect(await screen.findByText('1 of 2 completed')).toBeTruthy()
  })

  it('says when it failed, and leaves what is known', async () => {
    let broken = false
    const { user } = open({
      'GET /api/tasks/completed': () =>
        broken ? refusal(500, 'Something went wrong') : json({ completedTasks: [] }),
    })
    await claimButton('Follow us on Twitter')
    broken = true
    await user.click(await refreshButton())
    expect(await said('Lỗi làm mới')).toBeTruthy()
    expect(await claimButton('Follow us on Twitter')).toBeTruthy()
  })
})

describe('loading', () => {
  it('shows the error message with a way to try again', async () => {
    let broken = true
    const { user } = open({
      'GET /api/tasks/completed': () =>
        broken ? refusal(500, 'Something went wrong') : json({ completedTasks: [] }),
    })
    expect(await screen.findByText('Something went wrong')).toBeTruthy()
    broken = false
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await claimButton('Follow us on Twitter')).toBeTruthy()
  })

  it('takes a 401 for nobody and asks who is signed in', async () => {
    const { server } = open({
      'GET /api/tasks/completed': () => refusal(401, 'Please sign in'),
      'GET /api/user': () => json(aUser()),
    })
    expect(await screen.findByText('0 of 2 completed')).toBeTruthy()
    await waitFor(() => expect(server.count('GET /api/user')).toBe(1))
    expect(memory()).toEqual({})
  })
})
