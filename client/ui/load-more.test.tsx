import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoadMore } from '#client/ui/load-more.tsx'

let come: ((isIntersecting: boolean) => void) | undefined
let observed: IntersectionObserverInit | undefined

class FakeObserver {
  constructor(
    told: (entries: { isIntersecting: boolean }[]) => void,
    init: IntersectionObserverInit,
  ) {
    come = (isIntersecting) => told([{ isIntersecting }])
    observed = init
  }
  observe() {}
  disconnect() {
    come = undefined
  }
}

describe('the end of a list', () => {
  const onLoad = vi.fn()
  const end = (state: 'idle' | 'loading' | 'failed') => (
    <LoadMore state={state} onLoad={onLoad} failedText="Older rows could not be loaded" />
  )
  beforeEach(() => {
    onLoad.mockClear()
    vi.stubGlobal('IntersectionObserver', FakeObserver)
  })
  afterEach(() => vi.unstubAllGlobals())

  it('reads on when it comes near', () => {
    render(end('idle'))
    act(() => come?.(false))
    expect(onLoad).not.toHaveBeenCalled()
    act(() => come?.(true))
    expect(onLoad).toHaveBeenCalledTimes(1)
    expect(observed?.rootMargin).toBe('400px')
  })

  it('reads on by a press', () => {
    render(end('idle'))
    screen.getByRole('button', { name: 'Load more' }).click()
    expect(onLoad).toHaveBeenCalledTimes(1)
  })

  it('waits while a page is on its way', () => {
    render(end('loading'))
    expect(come).toBeUndefined()
    expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(true)
  })

  it('says what failed, and does not try again by itself', () => {
    render(end('failed'))
    expect(screen.getByRole('alert').textContent).toBe('Older rows could not be loaded')
    expect(come).toBeUndefined()
    screen.getByRole('button', { name: 'Try Again' }).click()
    expect(onLoad).toHaveBeenCalledTimes(1)
  })
})
