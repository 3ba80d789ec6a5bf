import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { Button } from '#client/ui/button.tsx'
import { loadOlder, olderStateAtom } from './activity-list.ts'

/** How far below the screen the end of the list may be when the next page is read. */
const AHEAD = '400px'

/** The end of the list: reads on when it comes near, and by a press where it does not. */
export function OlderRows() {
  const state = useAtomValue(olderStateAtom)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!end.current || state !== 'idle' || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void loadOlder()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [state])
  return (
    <div ref={end} className="flex flex-col items-center gap-2 pt-4">
      {state === 'failed' && (
        <p role="alert" className="text-sm text-muted">
          Older activity could not be loaded
        </p>
      )}
      <Button variant="secondary" busy={state === 'loading'} onClick={loadOlder}>
        {state === 'failed' ? 'Try Again' : 'Load more'}
      </Button>
    </div>
  )
}
