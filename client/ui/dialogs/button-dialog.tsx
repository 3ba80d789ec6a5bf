import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, type ButtonProps } from '#client/ui/buttons/button.tsx'
import { Dialog, type DialogProps } from '#client/ui/dialogs/dialog.tsx'

export type ButtonDialogProps = Pick<DialogProps, 'description' | 'readFirst'> &
  Pick<ButtonProps, 'variant' | 'disabled'> & {
    /** Label of the button, and title of the dialog unless it has its own. */
    label: string
    title?: string
    icon: LucideIcon
    children: ReactNode | ((close: () => void) => ReactNode)
  }

/** A button with an icon and the dialog that it opens. */
export function ButtonDialog({
  label,
  title = label,
  icon: Icon,
  variant = 'secondary',
  disabled,
  children,
  ...dialog
}: ButtonDialogProps) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title={title}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant={variant} disabled={disabled}>
          <Icon aria-hidden="true" className="size-4" />
          {label}
        </Button>
      }
      {...dialog}
    >
      {typeof children === 'function' ? children(() => setOpen(false)) : children}
    </Dialog>
  )
}
