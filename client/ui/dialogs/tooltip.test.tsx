import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { preloadTooltips, Tooltip } from '#client/ui/dialogs/tooltip.tsx'

const trigger = () => screen.getByRole('button')
const shown = () => screen.queryByRole('tooltip')?.textContent

describe('tooltip whose code is not loaded yet', () => {
  it('the focused element becomes the trigger, keeps the focus, opens, and lets the focus move on', async () => {
    render(
      <>
        <Tooltip content="Left before the code was loaded">
          <button type="button">Left</button>
        </Tooltip>
        <Tooltip content="Coming soon">
          <button type="button">More</button>
        </Tooltip>
        <button type="button">Next</button>
      </>,
    )
    const [left, more, next] = ['Left', 'More', 'Next'].map(
      (name) => () => screen.getByRole('button', { name }),
    )
    act(() => left?.().focus())
    act(() => more?.().focus())
    await act(async () => {
      await preloadTooltips()
      // Before the task in which React renders.
      next?.().focus()
    })
    expect(document.activeElement).toBe(next?.())
    expect(shown()).toBeUndefined()
    act(() => more?.().focus())
    expect(shown()).toBe('Coming soon')
    expect(document.activeElement).toBe(more?.())
  })
})

describe('tooltip', () => {
  beforeAll(preloadTooltips)

  beforeEach(() => {
    // Later than the pause in which a tooltip opens without delay after another one.
    vi.useFakeTimers({ now: Date.now() + 10_000 })
    render(
      <Tooltip content="Coming soon">
        <button type="button">More</button>
      </Tooltip>,
    )
  })
  afterEach(() => vi.useRealTimers())

  it('a tooltip opens after 700 ms of hovering', () => {
    fireEvent.pointerMove(trigger(), { pointerType: 'mouse' })
    act(() => vi.advanceTimersByTime(650))
    expect(shown()).toBeUndefined()
    act(() => vi.advanceTimersByTime(100))
    expect(shown()).toBe('Coming soon')
  })

  it('a tooltip opens on keyboard focus and closes on Escape', () => {
    fireEvent.focus(trigger())
    expect(shown()).toBe('Coming soon')
    fireEvent.keyDown(document, { key: 'Escape' })
    expect(shown()).toBeUndefined()
  })

  it('a tooltip opens on touch', () => {
    fireEvent.pointerDown(trigger(), { pointerType: 'touch' })
    fireEvent.click(trigger())
    expect(shown()).toBe('Coming soon')
  })
})

describe('second tooltip', () => {
  const hover = (name: string) =>
    fireEvent.pointerMove(screen.getByRole('button', { name }), { pointerType: 'mouse' })
  const leave = (name: string) =>
    fireEvent.pointerLeave(screen.getByRole('button', { name }), { pointerType: 'mouse' })
  const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))

  beforeEach(() => {
    vi.useFakeTimers()
    render(
      ['One', 'Two'].map((name) => (
        <Tooltip key={name} content={`About ${name}`}>
          <button type="button">{name}</button>
        </Tooltip>
      )),
    )
    hover('One')
    wait(750)
    expect(shown()).toBe('About One')
    leave('One')
    fireEvent.keyDown(document, { key: 'Escape' })
    expect(shown()).toBeUndefined()
  })
  afterEach(() => vi.useRealTimers())

  it('a second tooltip opens without delay within 300 ms of the first', () => {
    wait(250)
    hover('Two')
    expect(shown()).toBe('About Two')
  })

  it('a second tooltip opens after the usual delay later than 300 ms', () => {
    wait(350)
    hover('Two')
    expect(shown()).toBeUndefined()
    wait(750)
    expect(shown()).toBe('About Two')
  })
})
