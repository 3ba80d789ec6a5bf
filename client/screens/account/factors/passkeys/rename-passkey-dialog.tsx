import { Form, Formik } from 'formik'
import Pencil from 'lucide-react/icons/pencil'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { Dialog } from '#client/ui/dialogs/dialog.tsx'
import { FocusFirstError } from '#client/ui/forms/focus-first-error.tsx'
import { FormField } from '#client/ui/forms/form-field.tsx'
import { renamePasskeyBody } from '#contract/forms/passkeys'
import type { Passkey } from '#rules/members/account-snapshots'
import { renamePasskey } from './passkey-commands.ts'

/** The button that renames a passkey, and its dialog. */
export function RenamePasskeyDialog({ passkey: { id, name } }: { passkey: Passkey }) {
  const { t } = useTranslation('account')
  const [open, setOpen] = useState(false)
  return (
    <Dialog
      title={t('factors.passkeys.rename')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('factors.passkeys.renameNamed', { name })}
        >
          <Pencil aria-hidden="true" className="size-4" />
        </Button>
      }
    >
      <Formik
        initialValues={{ passkeyId: id, name }}
        validationSchema={renamePasskeyBody}
        onSubmit={async (values) => {
          const { done } = await renamePasskey(values)
          if (done) setOpen(false)
        }}
      >
        {({ isSubmitting }) => (
          <Form noValidate className="flex flex-col gap-2">
            <FocusFirstError />
            <FormField name="name" label={t('factors.passkeys.name')} autoComplete="off" />
            <Button type="submit" size="large" busy={isSubmitting} className="w-full">
              {t('factors.passkeys.save')}
            </Button>
          </Form>
        )}
      </Formik>
    </Dialog>
  )
}
