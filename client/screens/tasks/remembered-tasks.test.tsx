import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import {
  at,
  claimButton,
  done,
  memory,
  openTasks,
  setPaid,
  startTasks,
} from './testing/open-tasks.tsx'

beforeEach(startTasks)
afterEach(() => void vi.unstubAllGlobals())

describe('remembered tasks', () => {
  it('a remembered task unknown to the server is dropped', async () => {
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    openTasks()
    expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claim Reward')
    expect(memory()['7']).toEqual({})
  })

  it('remembered tasks of other members are kept', async () => {
    localStorage.setItem('completedTasks', JSON.stringify({ 8: { follow_twitter: at } }))
    setPaid(done('join_telegram'))
    openTasks()
    await claimButton('Join our Telegram')
    expect(memory()).toEqual({ 7: { join_telegram: at }, 8: { follow_twitter: at } })
  })

  it('a remembered task of one member does not block another member', async () => {
    startAs(aUser({ id: 8 }))
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    const { server, user } = openTasks()
    await user.click(await claimButton('Follow us on Twitter'))
    await findToast('You have received the reward for this task! Check your wallet balance.')
    expect(server.count('POST /api/tasks/complete')).toBe(1)
  })

  it.each(['no json', '[]', 'null', '{"7":"x"}', '{"7":{"follow_twitter":4}}'])(
    'stored tasks that read %s are ignored',
    async (stored) => {
      localStorage.setItem('completedTasks', stored)
      openTasks()
      expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claim Reward')
    },
  )

  it('a task claimed in another tab shows as claimed immediately', async () => {
    openTasks()
    await claimButton('Follow us on Twitter')
    localStorage.setItem('completedTasks', JSON.stringify({ 7: { follow_twitter: at } }))
    act(() => void window.dispatchEvent(new Event('storage')))
    expect((await claimButton('Follow us on Twitter')).textContent).toBe('Claimed')
  })
})
