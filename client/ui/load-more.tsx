import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './buttons/button.tsx'
import { classNames } from './class-names.ts'
import { handOverFocus } from './focus-main.ts'
import { Skeleton } from './loading.tsx'

/** Distance between the visible area and the end of the list at which the next page is loaded. */
const AHEAD = '400px'

type LoadMoreProps = {
  state: 'idle' | 'loading' | 'failed'
  /** Must be the same function on every render, or the observer is created again. */
  onLoad: () => void
  failedText: string
  className?: string
}

export function LoadMore({ state, onLoad, failedText, className = 'py-4' }: LoadMoreProps) {
  const { t } = useTranslation()
  const end = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => handOverFocus(end.current), [])
  useEffect(() => {
    if (!end.current || state !== 'idle' || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onLoad()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [state, onLoad])
  return (
    <div ref={end} className={classNames('flex flex-col items-center gap-2', className)}>
      {state === 'failed' && (
        <p role="alert" className="text-sm text-muted">
          {failedText}
        </p>
      )}
      <Button variant="secondary" busy={state === 'loading'} onClick={onLoad}>
        {t(state === 'failed' ? 'tryAgain' : 'loadMore')}
      </Button>
    </div>
  )
}

export function SkeletonRows({ count }: { count: number }) {
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are equal and never change.
    <div key={row} aria-hidden="true" className="flex h-16 items-center gap-3">
      <Skeleton className="size-10 shrink-0 rounded-full" />
      <div className="grow">
        <Skeleton className="h-4 w-28" />
        <Skeleton className="mt-2 h-3 w-36 max-w-full" />
      </div>
      <Skeleton className="h-4 w-16" />
    </div>
  ))
}
