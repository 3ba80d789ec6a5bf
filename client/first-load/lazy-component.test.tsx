import { act, render, screen, waitFor } from '@testing-library/react'
import { Suspense, useState } from 'react'
import { expect, it } from 'vitest'
import { lazyComponent, optionalComponent } from './lazy-component.tsx'

let created = 0

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
