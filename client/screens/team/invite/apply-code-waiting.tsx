import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'

/** As tall as the form for a code, while it is unknown whether the member has a referrer. */
export function ApplyCodeWaiting() {
  return (
    <Panel>
      <Skeleton className="mb-1.5 h-5 w-36" />
      <Skeleton className="h-12 rounded-control" />
      <Skeleton className="mt-1.5 mb-2.5 h-4 w-44" />
      <Skeleton className="h-12 rounded-control" />
    </Panel>
  )
}
