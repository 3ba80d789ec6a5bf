import { act, render, screen, waitFor } from '@testing-library/react'
import { atom } from 'jotai'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAIN_ID } from './focus-main.ts'
import { LoadMore } from './load-more.tsx'

let intersect: ((isIntersecting: boolean) => void) | undefined
let observed: { element: Element; margin: string | undefined } | undefined

class FakeObserver {
  constructor(
    private readonly onEntries: (entries: { isIntersecting: boolean }[]) => void,
    private readonly init: IntersectionObserverInit,
  ) {}
  observe(element: Element) {
    intersect = (isIntersecting) => this.onEntries([{ isIntersecting }])
    observed = { element, margin: this.init.rootMargin }
  }
  disconnect() {
    intersect = undefined
  }
}

describe('load more', () => {
  const onLoad = vi.fn()
  const end = (state: 'idle' | 'loading' | 'failed') => {
    const list = { stateAtom: atom(state), loadOlder: onLoad }
    return <LoadMore list={list} failedText="Older rows could not be loaded" />
  }
  beforeEach(() => {
    onLoad.mockClear()
    vi.stubGlobal('IntersectionObserver', FakeObserver)
  })
  afterEach(() => vi.unstubAllGlobals())

  it('the next page is loaded when the end of the list comes near', () => {
    render(end('idle'))
    act(() => intersect?.(false))
    expect(onLoad).not.toHaveBeenCalled()
    act(() => intersect?.(true))
    expect(onLoad).toHaveBeenCalledTimes(1)
    expect(observed?.margin).toBe('400px')
    expect(observed?.element.contains(screen.getByRole('button'))).toBe(true)
  })

  it('Load more loads the next page', () => {
    render(end('idle'))
    screen.getByRole('button', { name: 'Load more' }).click()
    expect(onLoad).toHaveBeenCalledTimes(1)
  })

  it('the page takes the focus from the button of the last page', async () => {
    const list = (isComplete: boolean) => (
      <main id={MAIN_ID} tabIndex={-1}>
        {!isComplete && end('idle')}
      </main>
    )
    const { rerender } = render(list(false))
    act(() => screen.getByRole('button').focus())
    rerender(list(true))
    await waitFor(() => expect(document.activeElement?.id).toBe(MAIN_ID))
  })

  it('no second page is requested while one is loading', () => {
    render(end('loading'))
    expect(intersect).toBeUndefined()
    expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(true)
  })

  it('a failed page is reported and retried only by Try Again', () => {
    render(end('failed'))
    expect(screen.getByRole('alert').textContent).toBe('Older rows could not be loaded')
    expect(intersect).toBeUndefined()
    screen.getByRole('button', { name: 'Try Again' }).click()
    expect(onLoad).toHaveBeenCalledTimes(1)
  })
})
