import Trash2 from 'lucide-react/icons/trash'
import { useTranslation } from 'react-i18next'
import { string } from 'yup'
import { Button } from '#client/ui/buttons/button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/button-dialog.tsx'
import { AS_TYPED, FormField } from '#client/ui/forms/form-field.tsx'
import { deleteBody } from '#contract/forms/confirm'
import type { User } from '#rules/members/account-snapshots'
import { normalizeUsername } from '#rules/members/identity'
import { deleteAccount } from './data-commands.ts'
import { DeletionFacts } from './deletion-facts.tsx'
import { PasswordForm } from './password-form.tsx'

const blank = { password: '', confirmation: '' }
const isConfirmed = (typed: string, { username }: User) => normalizeUsername(typed) === username

const formOf = (user: User) =>
  deleteBody.shape({
    confirmation: string().test(
      'confirmation',
      'Type your username exactly as it is',
      (typed = '') => isConfirmed(typed, user),
    ),
  })

/** The button that deletes an account, behind a dialog that explains and confirms it. */
export function DeleteDialog({ user }: { user: User }) {
  const { t } = useTranslation('account')
  return (
    <ButtonDialog
      label={t('data.delete')}
      description={t('data.deleteText')}
      icon={Trash2}
      variant="destructive"
      readFirst
    >
      {(close) => (
        <>
          <DeletionFacts />
          <PasswordForm
            username={user.username}
            initialValues={blank}
            schema={formOf(user)}
            act={deleteAccount}
            onDone={close}
          >
            {({ values: { password, confirmation }, busy }) => (
              <>
                <FormField
                  name="confirmation"
                  label={t('data.typeToConfirm', { username: user.username })}
                  errorOnSubmit
                  autoComplete="off"
                  {...AS_TYPED}
                />
                <div className="mt-1 grid grid-cols-[1fr_1.5fr] gap-2">
                  <Button variant="secondary" size="large" disabled={busy} onClick={close}>
                    {t('data.cancel')}
                  </Button>
                  <Button
                    type="submit"
                    variant="destructive"
                    size="large"
                    busy={busy}
                    disabled={password === '' || !isConfirmed(confirmation, user)}
                  >
                    {t('data.deleteForGood')}
                  </Button>
                </div>
              </>
            )}
          </PasswordForm>
        </>
      )}
    </ButtonDialog>
  )
}
