import { type ReactElement, useState } from 'react'
import { Button } from '#client/ui/buttons/button.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { confirmBody } from '#contract/forms/confirm'
import type { Outcome } from './data-commands.ts'
import { PasswordForm } from './password-form.tsx'

type PasswordDialogProps = {
  title: string
  description: string
  /** The button that opens the dialog. */
  trigger: ReactElement
  /** Name of the account, for password managers. */
  username: string
  /** Label of the button that ends or removes something. */
  confirm: string
  act: (password: string) => Promise<Outcome>
}

/** Asks for the member's password before something is ended or removed. */
export function PasswordDialog(props: PasswordDialogProps) {
  const { title, description, trigger, username, confirm, act } = props
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title={title}
      description={description}
      open={open}
      onOpenChange={setOpen}
      trigger={trigger}
    >
      <PasswordForm
        username={username}
        initialValues={{ password: '' }}
        schema={confirmBody}
        act={({ password }) => act(password)}
        onDone={() => setOpen(false)}
      >
        {({ busy }) => (
          <Button type="submit" variant="destructive" size="large" busy={busy} className="w-full">
            {confirm}
          </Button>
        )}
      </PasswordForm>
    </Dialog>
  )
}
