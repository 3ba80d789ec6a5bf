import { act, fireEvent, render, screen } from '@testing-library/react'
import { Dialog } from 'radix-ui'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearToast, toast } from '#client/ui/toasts/toast.ts'
import { Toaster } from './toaster.tsx'

describe('toast', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    clearToast()
    render(<Toaster />)
  })
  afterEach(() => vi.useRealTimers())

  const showToast = (...options: Parameters<typeof toast>) => act(() => toast(...options))
  const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

  it('toast() shows a toast from outside React', () => {
    showToast({ title: 'Logged out', description: 'See you' })
    expect(screen.getByText('Logged out')).toBeTruthy()
    expect(screen.getByText('See you')).toBeTruthy()
  })

  it('a new toast replaces the previous one', () => {
    showToast({ title: 'First' })
    showToast({ title: 'Second' })
    expect(screen.queryByText('First')).toBeNull()
    expect(screen.getByText('Second')).toBeTruthy()
  })

  it('a toast disappears after 5000 ms', () => {
    showToast({ title: 'Passing' })
    pass(4_900)
    expect(screen.queryByText('Passing')).not.toBeNull()
    pass(200)
    expect(screen.queryByText('Passing')).toBeNull()
  })

  it('a toast of a hidden page waits until the member looks at the page, then 5000 ms', () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    showToast({ title: 'Late' })
    pass(60_000)
    expect(screen.queryByText('Late')).toBeNull()
    hidden.mockReturnValue(false)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    pass(4_900)
    expect(screen.queryByText('Late')).not.toBeNull()
    pass(200)
    expect(screen.queryByText('Late')).toBeNull()
    hidden.mockRestore()
  })

  it('a toast that replaces another one on a hidden page disappears after 5000 ms too', () => {
    showToast({ title: 'First' })
    fireEvent.blur(window)
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    showToast({ title: 'Second' })
    pass(100)
    hidden.mockReturnValue(false)
    fireEvent.focus(window)
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(screen.queryByText('First')).toBeNull()
    expect(screen.queryByText('Second')).not.toBeNull()
    pass(5_100)
    expect(screen.queryByText('Second')).toBeNull()
    hidden.mockRestore()
  })

  it('a toast after one that was closed by its button disappears after 5000 ms too', () => {
    showToast({ title: 'First' })
    fireEvent.pointerMove(screen.getByText('First'))
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    showToast({ title: 'Second' })
    pass(4_900)
    expect(screen.queryByText('Second')).not.toBeNull()
    pass(200)
    expect(screen.queryByText('Second')).toBeNull()
  })

  it('a toast that is older than an open dialog can be pressed', () => {
    showToast({ title: 'Older' })
    render(
      <Dialog.Root open>
        <Dialog.Content aria-describedby={undefined}>
          <Dialog.Title>Chart</Dialog.Title>
        </Dialog.Content>
      </Dialog.Root>,
    )
    expect(screen.getByText('Older').closest('li')?.style.pointerEvents).toBe('auto')
  })

  it('a new toast is shown for its full duration', () => {
    showToast({ title: 'First' })
    pass(4_000)
    showToast({ title: 'Second' })
    pass(4_000)
    expect(screen.queryByText('Second')).not.toBeNull()
  })

  it('destructive toasts are announced assertively, others politely', () => {
    showToast({ title: 'Wrong', variant: 'destructive' })
    act(() => vi.advanceTimersByTime(100))
    expect(screen.getByRole('status').getAttribute('aria-live')).toBe('assertive')
    showToast({ title: 'Fine' })
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

  it('a swipe to the right of 50 px or more dismisses a toast', () => {
    showToast({ title: 'Swiped' })
    swipe('Swiped', 45)
    expect(screen.queryByText('Swiped')).not.toBeNull()
    swipe('Swiped', -80)
    expect(screen.queryByText('Swiped')).not.toBeNull()
    swipe('Swiped', 55)
    expect(screen.queryByText('Swiped')).toBeNull()
  })

  it('F8 moves the focus to the toasts', () => {
    showToast({ title: 'Reached' })
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
    expect(document.activeElement).toBe(screen.getByText('Reached').closest('ol'))
  })
})
