import { act, fireEvent, render, screen } from '@testing-library/react'
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

  it('comes in two variants: one that waits its turn, one that interrupts', () => {
    say({ title: 'Wrong', variant: 'destructive' })
    act(() => vi.advanceTimersByTime(100))
    expect(screen.getByRole('status').getAttribute('aria-live')).toBe('assertive')
    say({ title: 'Fine' })
    act(() => vi.advanceTimersByTime(100))
    expect(screen.getByRole('status').getAttribute('aria-live')).toBe('polite')
  })

  function swipe(title: string, px: number) {
    const toast = screen.getByText(title).closest('li') as HTMLElement
    const at = (clientX: number) => ({ button: 0, pointerId: 1, clientX, clientY: 0 })
    fireEvent.pointerDown(toast, at(0))
    for (const x of [px / 2, px]) fireEvent.pointerMove(toast, at(x))
    fireEvent.pointerUp(toast, at(px))
  }

  it('is swiped away to the right, from 50 px on', () => {
    say({ title: 'Swiped' })
    swipe('Swiped', 45)
    expect(screen.queryByText('Swiped')).not.toBeNull()
    swipe('Swiped', -80)
    expect(screen.queryByText('Swiped')).not.toBeNull()
    swipe('Swiped', 55)
    expect(screen.queryByText('Swiped')).toBeNull()
  })

  it('is reached with F8', () => {
    say({ title: 'Reached' })
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
    expect(document.activeElement).toBe(screen.getByText('Reached').closest('ol'))
  })
})
