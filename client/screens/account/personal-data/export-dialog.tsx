import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { exportBody } from '#contract/forms'
import type { User } from '#rules/snapshots'
import { downloadData } from './data-commands.ts'
import { PasswordForm } from './password-form.tsx'

/** The button that downloads all data of a member after they confirm their password. */
export function ExportDialog({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title="Download my data"
      description="A file with everything that is held about you: profile, wallet, all activity, sessions, tasks, team and documents. Your password is not in it."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="secondary">
          <Download aria-hidden="true" className="size-4" />
          Download my data
        </Button>
      }
    >
      <PasswordForm
        username={user.username}
        initialValues={{ password: '' }}
        schema={exportBody}
        act={downloadData}
        onDone={() => setOpen(false)}
      >
        {({ busy }) => (
          <Button
            type="submit"
            size="large"
            busy={busy}
            busyLabel="Preparing your file"
            className="w-full"
          >
            Download
          </Button>
        )}
      </PasswordForm>
    </Dialog>
  )
}
