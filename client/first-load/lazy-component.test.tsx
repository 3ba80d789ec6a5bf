import { act, render, screen, waitFor } from '@testing-library/react'
import { Suspense, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { ErrorBoundary } from '#client/ui/error-card.tsx'
import { lazyComponent, optionalComponent } from './lazy-component.tsx'

let created = 0

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

type Module = { Screen: typeof Screen }

function Screen() {
  const [id] = useState(() => ++created)
  return <p>screen {id}</p>
}

it('a component that was preloaded renders without a fallback', async () => {
  const Lazy = lazyComponent(async () => ({ Screen }), 'Screen')
  await Lazy.preload()
  render(
    <Suspense fallback="waiting">
      <Lazy />
    </Suspense>,
  )
  expect(screen.getByText(/^screen/)).toBeTruthy()
})

it('a component is loaded when it is rendered, and keeps its state when it is preloaded later', async () => {
  const Lazy = lazyComponent(async () => ({ Screen }), 'Screen')
  const tree = () => (
    <Suspense fallback="waiting">
      <Lazy />
    </Suspense>
  )
  const { rerender } = render(tree())
  expect(screen.getByText('waiting')).toBeTruthy()
  const { textContent } = await screen.findByText(/^screen/)
  await act(() => Lazy.preload())
  rerender(tree())
  expect(screen.getByText(/^screen/).textContent).toBe(textContent)
})

it('a component shows its fallback until it is loaded, and leaves no timer behind', async () => {
  vi.useFakeTimers()
  const Lazy = lazyComponent(async () => ({ Screen }), 'Screen')
  render(<Lazy fallback="waiting" />)
  expect(screen.getByText('waiting')).toBeTruthy()
  await act(async () => {})
  expect(screen.getByText(/^screen/)).toBeTruthy()
  expect(vi.getTimerCount()).toBe(0)
})

it('a preload that fails is not an error of the page', async () => {
  const Lazy = lazyComponent<Module, 'Screen'>(async () => {
    throw new TypeError('Failed to fetch')
  }, 'Screen')
  await expect(Lazy.preload()).resolves.toBeUndefined()
})

it('an optional component whose code cannot be loaded renders nothing', async () => {
  const Optional = optionalComponent<Module, 'Screen'>(async () => {
    throw new TypeError('Failed to fetch')
  }, 'Screen')
  const { container } = render(
    <Suspense fallback="waiting">
      <Optional />
    </Suspense>,
  )
  expect(container.textContent).toBe('waiting')
  await waitFor(() => expect(container.textContent).toBe(''))
})

it('code that a dead connection never delivers is offered again after a minute', async () => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const never = () => new Promise<Module>(() => {})
  const [Lazy, Optional] = [lazyComponent(never, 'Screen'), optionalComponent(never, 'Screen')]
  render(
    <>
      <ErrorBoundary>
        <Suspense fallback="waiting">
          <Lazy />
        </Suspense>
      </ErrorBoundary>
      <Suspense fallback="not needed">
        <Optional />
      </Suspense>
    </>,
  )
  await act(() => vi.advanceTimersByTimeAsync(59_000))
  expect(document.body.textContent).toBe('waitingnot needed')
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  expect(document.body.textContent).not.toMatch(/waiting|not needed/)
})
