import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { classNames } from '#client/ui/class-names.ts'

/** Distance between the visible area and the end of the list at which the next page is loaded. */
const AHEAD = '400px'

export type LoadMoreProps = {
  state: 'idle' | 'loading' | 'failed'
  /** Must be the same function on every render, or the observer is created again. */
  onLoad: () => void
  /** The message when the next page could not be loaded. */
  failedText: string
  /** Padding around the button. */
  className?: string
}

/** The end of a list: loads the next page when it comes near, or by its button. */
export function LoadMore({ state, onLoad, failedText, className = 'py-4' }: LoadMoreProps) {
  const { t } = useTranslation()
  const end = useRef<HTMLDivElement>(null)
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
