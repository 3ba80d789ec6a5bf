import { LoadingNote } from '#client/ui/states/loading-note.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import type { User } from '#rules/members/account-snapshots'
import { AccountHeader } from './account-header.tsx'

/** The shell of the screen: who the member is, and the place of the forms. */
export function AccountWaiting({ user }: { user: User }) {
  return (
    <div className="flex flex-col gap-6">
      <AccountHeader user={user} />
      <LoadingNote />
      <div className="flex flex-col gap-4">
        <Skeleton className="h-13.5 w-17 rounded-control" />
        <Skeleton className="h-120 rounded-panel" />
      </div>
      <Skeleton className="h-64 rounded-panel" />
    </div>
  )
}
