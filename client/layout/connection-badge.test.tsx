import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ageText, ConnectionBadge } from '#client/layout/connection-badge.tsx'
import {
  GRACE_MS,
  pollAnswered,
  socketDown,
  socketExpected,
  socketUp,
} from '#client/live/connection-state.ts'
import { show } from '#client/testing/render.tsx'

describe('the badge', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    socketExpected()
    show(<ConnectionBadge />)
  })
  afterEach(() => void vi.useRealTimers())

  const text = () => screen.getByRole('status').textContent
  const age = () => screen.getByRole('status').nextElementSibling?.textContent
  const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

  it('says Connecting… until the first socket is open, then Live', () => {
    pass(GRACE_MS - 100)
    expect([text(), age()]).toEqual(['Connection: Connecting…', undefined])
    act(socketUp)
    expect([text(), age()]).toEqual(['Connection: Live', undefined])
  })

  it('waits a moment before it says so, for a socket that opens at once', () => {
    const badge = () => screen.getByRole('status').parentElement?.className
    expect(badge()).toContain('animate-appear-late')
    act(socketUp)
    expect(badge()).not.toContain('animate')
  })

  it('goes on to Polling and Offline, with their age, where no socket opens', () => {
    act(() => pollAnswered(true))
    pass(GRACE_MS)
    expect([text(), age()]).toEqual(['Connection: Polling', '2s'])
    act(() => pollAnswered(false))
    pass(5_000)
    expect([text(), age()]).toEqual(['Connection: Offline', '7s'])
  })

  it('does not mention a gap of one second', () => {
    act(socketUp)
    act(socketDown)
    pass(1_000)
    expect(text()).toBe('Connection: Live')
    act(socketUp)
    pass(GRACE_MS)
    expect(text()).toBe('Connection: Live')
  })
})

describe('the age of what is on the screen', () => {
  it('counts whole seconds, then whole minutes', () => {
    expect(ageText(0)).toBe('0s')
    expect(ageText(59_999)).toBe('59s')
    expect(ageText(60_000)).toBe('1m')
    expect(ageText(150_000)).toBe('2m')
  })

  it('is never negative', () => {
    expect(ageText(-5)).toBe('0s')
  })
})
