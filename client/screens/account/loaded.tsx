import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { handOverFocus } from '#client/ui/focus-main.ts'
import { LoadingNote, Skeleton } from '#client/ui/loading.tsx'

export function PanelWaiting({ skeleton }: { skeleton: string }) {
  return (
    <>
      <LoadingNote />
      <Skeleton className={skeleton} />
    </>
  )
}

type LoadedProps<T> = {
  query: { data: T | undefined; isError: boolean; refetch: () => unknown }
  skeleton: string
  failure: string
  children: (data: T) => ReactNode
}

export function Loaded<T>({ query, skeleton, failure, children }: LoadedProps<T>) {
  const { t } = useTranslation()
  const { data, isError, refetch } = query
  if (data !== undefined) return children(data)
  if (!isError) return <PanelWaiting skeleton={skeleton} />
  return (
    <div
      ref={handOverFocus}
      className="mt-4 flex items-center justify-between gap-3 border-t border-line py-3 text-sm"
    >
      <p className="text-muted">{failure}</p>
      <Button variant="secondary" onClick={() => void refetch()}>
        {t('tryAgain')}
      </Button>
    </div>
  )
}
