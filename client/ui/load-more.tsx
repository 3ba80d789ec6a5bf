import { type RefObject, useEffect, useRef } from 'react'
import { Button } from '#client/ui/button.tsx'

/** How far below what can be seen the end of the list may be when the next page is read. */
const AHEAD = '400px'

export type LoadMoreProps = {
  state: 'idle' | 'loading' | 'failed'
  /** Keep it the same function from one drawing to the next. */
  onLoad: () => void
  /** What to say when the next page could not be had. */
  failedText: string
  /** The element that scrolls; the page, where it is left out. */
  within?: RefObject<HTMLElement | null>
}

/** The end of a list that reads on when it comes near, and by a press where it does not. */
export function LoadMore({ state, onLoad, failedText, within }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!end.current || state !== 'idle' || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onLoad()
      },
      { root: within?.current ?? null, rootMargin: AHEAD },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [state, onLoad, within])
  return (
    <div ref={end} className="flex flex-col items-center gap-2 py-4">
      {state === 'failed' && (
        <p role="alert" className="text-sm text-muted">
          {failedText}
        </p>
      )}
      <Button variant="secondary" busy={state === 'loading'} onClick={onLoad}>
        {state === 'failed' ? 'Try Again' : 'Load more'}
      </Button>
    </div>
  )
}
