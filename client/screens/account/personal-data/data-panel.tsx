import { Panel } from '#client/ui/panel.tsx'
import type { User } from '#rules/snapshots'
import { DeleteDialog } from './delete-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'

/** Lets a member download or delete their data. */
export function DataPanel({ user }: { user: User }) {
  return (
    <Panel aria-labelledby="data-title">
      <h2 id="data-title" className="text-base">
        Your data
      </h2>
      <p className="mt-1 text-sm text-muted">
        Take a copy of everything that is held about you, or have your account deleted.
      </p>
      <div className="mt-4 grid gap-2 sm:grid-cols-2">
        <ExportDialog user={user} />
        <DeleteDialog user={user} />
      </div>
    </Panel>
  )
}
