import { type Atom, useAtomValue } from 'jotai'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './buttons/button.tsx'
import { classNames } from './class-names.ts'
import { handOverFocus } from './focus-main.ts'
import { LoadingNote, Skeleton } from './loading.tsx'

/** Distance between the visible area and the end of the list at which the next page is loaded. */
const AHEAD = '400px'

type LoadMoreProps = {
  /** A paged list. */
  list: { stateAtom: Atom<'idle' | 'loading' | 'failed'>; loadOlder: () => void }
  failedText: string
  className?: string
}

export function LoadMore({ list, failedText, className = 'py-4' }: LoadMoreProps) {
  const { t } = useTranslation()
  const { stateAtom, loadOlder } = list
  const state = useAtomValue(stateAtom)
  const end = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => handOverFocus(end.current), [])
  useEffect(() => {
    if (!end.current || state !== 'idle' || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) loadOlder()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [state, loadOlder])
  return (
    <div ref={end} className={classNames('flex flex-col items-center gap-2', className)}>
      {state === 'failed' && (
        <p role="alert" className="text-sm text-muted">
          {failedText}
        </p>
      )}
      <Button variant="secondary" busy={state === 'loading'} onClick={loadOlder}>
        {t(state === 'failed' ? 'tryAgain' : 'loadMore')}
      </Button>
    </div>
  )
}

/** Rows that are not read yet, for screen readers `text`. */
export function SkeletonRows({ text, count }: { text: string; count: number }) {
  return (
    <>
      <LoadingNote text={text} />
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are equal and never change.
        <div key={row} aria-hidden="true" className="flex h-16 items-center gap-3">
          <Skeleton className="size-10 shrink-0 rounded-full" />
          <div className="grow">
            <Skeleton className="h-4 w-28" />
            <Skeleton className="mt-2 h-3 w-36 max-w-full" />
          </div>
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </>
  )
}
