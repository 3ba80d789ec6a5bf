import { LoadingNote, Skeleton } from '#client/ui/loading.tsx'

export function PanelWaiting({ skeleton }: { skeleton: string }) {
  return (
    <>
      <LoadingNote />
      <Skeleton className={skeleton} />
    </>
  )
}
