import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearToast, Toaster, toast } from '#client/ui/toast.tsx'

describe('a toast', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    clearToast()
    render(<Toaster />)
  })
  afterEach(() => vi.useRealTimers())

  const say = (...options: Parameters<typeof toast>) => act(() => toast(...options))
  const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))

  it('shows what code outside of React says', () => {
    say({ title: 'Logged out', description: 'See you' })
    expect(screen.getByText('Logged out')).toBeTruthy()
    expect(screen.getByText('See you')).toBeTruthy()
  })

  it('takes the place of the one before', () => {
    say({ title: 'First' })
    say({ title: 'Second' })
    expect(screen.queryByText('First')).toBeNull()
    expect(screen.getByText('Second')).toBeTruthy()
  })

  it('goes by itself after 5000 ms', () => {
    say({ title: 'Passing' })
    wait(4_900)
    expect(screen.queryByText('Passing')).not.toBeNull()
    wait(200)
    expect(screen.queryByText('Passing')).toBeNull()
  })

  it('gives a newer one its whole time', () => {
    say({ title: 'First' })
    wait(4_000)
    say({ title: 'Second' })
    wait(4_000)
    expect(screen.queryByText('Second')).not.toBeNull()
  })

  it('stays as long as it is told to', () => {
    say({ title: 'Brief', duration: 1_000 })
    wait(1_100)
    expect(screen.queryByText('Brief')).toBeNull()
  })
})
