import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  GRACE_MS,
  pollAnswered,
  socketDown,
  socketExpected,
  socketUp,
} from '#client/live/connection-state.ts'
import { show } from '#client/testing/render.tsx'
import { ConnectionBadge } from './header.tsx'

describe('the connection badge', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    socketExpected()
    show(<ConnectionBadge />)
  })
  afterEach(() => void vi.useRealTimers())

  const text = () => screen.getByRole('status').textContent
  const badge = () => screen.getByRole('status').nextElementSibling
  const age = () => badge()?.children[2]?.textContent
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

  it('the badge shows Connecting… until the first socket is open, then Live', () => {
    pass(GRACE_MS - 100)
    expect([text(), age()]).toEqual(['Connection: Connecting…', undefined])
    act(socketUp)
    expect([text(), age()]).toEqual(['Connection: Live', undefined])
  })

  it('Connecting… appears late, so that a fast socket never shows it', () => {
    expect(badge()?.className).toContain('animate-appear-late')
    act(socketUp)
    expect(badge()?.className).not.toContain('animate')
  })

  it('the badge shows Polling and Offline with their age when no socket opens', () => {
    act(() => pollAnswered(true))
    pass(GRACE_MS)
    expect([text(), age()]).toEqual(['Connection: Polling', '2s'])
    act(() => pollAnswered(false))
    pass(5_000)
    expect([text(), age()]).toEqual(['Connection: Offline', '7s'])
  })

  it('a gap of one second does not change the badge', () => {
    act(socketUp)
    act(socketDown)
    pass(1_000)
    expect(text()).toBe('Connection: Live')
    act(socketUp)
    pass(GRACE_MS)
    expect(text()).toBe('Connection: Live')
  })
})
