import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aUser } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import {
  at,
  claimButton,
  done,
  memory,
  openTasks,
  said,
  setPaid,
  startTasks,
} from './testing/open-tasks.tsx'

beforeEach(startTasks)
afterEach(() => void vi.unstubAllGlobals())

describe('the memory of the device', () => {
  it('gives way to the server where it remembers too much', async () => {
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    openTasks()
    expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claim Reward')
    expect(memory()['7']).toEqual({})
  })

  it('keeps what belongs to other members', async () => {
    localStorage.setItem('completedTasks', JSON.stringify({ 8: { follow_twitter: at } }))
    setPaid(done('join_telegram'))
    openTasks()
    await claimButton('Join our Telegram')
    expect(memory()).toEqual({ 7: { join_telegram: at }, 8: { follow_twitter: at } })
  })

  it('of one member does not block another', async () => {
    startAs(aUser({ id: 8 }))
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    const { server, user } = openTasks()
    await user.click(await claimButton('Follow us on Twitter'))
    await said('You have received the reward for this task! Check your wallet balance.')
    expect(server.count('POST /api/tasks/complete')).toBe(1)
  })

  it.each(['no json', '[]', 'null', '{"7":"x"}', '{"7":{"follow_twitter":4}}'])(
    'may hold rubbish such as %s',
    async (rubbish) => {
      localStorage.setItem('completedTasks', rubbish)
      openTasks()
      expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claim Reward')
    },
  )

  it('shows at once what another tab has claimed', async () => {
    openTasks()
    await claimButton('Follow us on Twitter')
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    act(() => void window.dispatchEvent(new Event('storage')))
    expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed')
  })
})
