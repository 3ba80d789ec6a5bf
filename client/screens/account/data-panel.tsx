import Download from 'lucide-react/icons/download'
import FileCheck2 from 'lucide-react/icons/file-check-corner'
import Trash2 from 'lucide-react/icons/trash'
import { useTranslation } from 'react-i18next'
import { navigate } from 'wouter/use-browser-location'
import { string } from 'yup'
import { call, callWithHeaders, isSignedOut, mayHaveWorked } from '#client/data/api.ts'
import { i18n } from '#client/language/language.ts'
import { signOutHere } from '#client/sign-in/sign-in.ts'
import { Button, LinkButton } from '#client/ui/buttons/button.tsx'
import { ButtonDialog } from '#client/ui/dialogs/dialog.tsx'
import { AS_TYPED, FormField } from '#client/ui/forms/form-field.tsx'
import { outcomeOf, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { fileNameIn, saveFile } from '#client/ui/save-file.ts'
import { toast } from '#client/ui/toasts/toast.ts'
import { deleteBody } from '#contract/forms/password-confirmed'
import type { BodyOf } from '#contract/routes'
import { MINUTE_MS } from '#rules/constants'
import type { User } from '#rules/members/account-snapshots'
import { normalizeUsername } from '#rules/members/usernames-and-emails'
import { PasswordDialog, PasswordForm, passwordOnly } from './password-form.tsx'

export function DataPanel({ user }: { user: User }) {
  const { t } = useTranslation(['account', 'layout'])
  return (
    <TitledPanel titleId="data-title" title={t('data.title')}>
      <p className="mt-1 text-sm text-muted">{t('data.text')}</p>
      <div className="mt-4 grid gap-2 sm:grid-cols-2">
        <PasswordDialog
          label={t('data.export')}
          description={t('data.exportText')}
          icon={Download}
          {...passwordOnly}
          submit={{ children: t('download'), busyLabel: t('data.preparing') }}
          onSubmit={downloadData}
        />
        <DeleteDialog user={user} />
      </div>
      <LinkButton href="/verify" variant="ghost" className="mt-2 w-full">
        <FileCheck2 className="size-4" />
        {t('layout:titles./verify')}
      </LinkButton>
    </TitledPanel>
  )
}

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

const REMOVED = ['profile', 'documents', 'points', 'code'] as const
const KEPT = ['entries', 'place'] as const

function DeleteDialog({ user }: { user: User }) {
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
          <div className="mb-5 flex flex-col gap-4 rounded-control border border-line bg-panel p-[min(1rem,4cqi)]">
            <Facts
              title={t('data.goes')}
              facts={REMOVED.map((fact) => t(`data.goesFacts.${fact}`))}
            />
            <Facts
              title={t('data.stays')}
              facts={KEPT.map((fact) => t(`data.staysFacts.${fact}`))}
            />
          </div>
          <PasswordForm
            initialValues={blank}
            validationSchema={formOf(user)}
            onSubmit={deleteAccount}
            onDone={close}
          >
            {({ values: { password, confirmation }, isSubmitting }) => (
              <>
                <FormField
                  name="confirmation"
                  label={t('data.typeToConfirm', { username: user.username })}
                  errorOnSubmit
                  autoComplete="off"
                  {...AS_TYPED}
                />
                <div className="mt-1 flex flex-wrap gap-2 *:grow">
                  <Button variant="secondary" size="large" disabled={isSubmitting} onClick={close}>
                    {t('data.cancel')}
                  </Button>
                  <SubmitButton
                    variant="destructive"
                    disabled={password === '' || !isConfirmed(confirmation, user)}
                    className=""
                  >
                    {t('data.deleteForGood')}
                  </SubmitButton>
                </div>
              </>
            )}
          </PasswordForm>
        </>
      )}
    </ButtonDialog>
  )
}

function Facts({ title, facts }: { title: string; facts: string[] }) {
  return (
    <section>
      <h3 className="text-sm">{title}</h3>
      <ul className="mt-1.5 flex list-disc flex-col gap-1 pl-4 text-sm text-muted">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </section>
  )
}

/** Years of activity and documents are slow to download on a slow network. */
const EXPORT_TIMEOUT_MS = 5 * MINUTE_MS

const downloadData = (body: BodyOf<'POST /api/user/export'>) =>
  outcomeOf(i18n.t('account:data.notDownloaded'), async () => {
    const { answer, headers } = await callWithHeaders('POST /api/user/export', {
      body,
      timeoutMs: EXPORT_TIMEOUT_MS,
    })
    const name = fileNameIn(headers) ?? 'tesp-network-data.json'
    saveFile(name, JSON.stringify(answer, null, 2))
    toast({ title: i18n.t('account:data.downloaded'), description: name })
  })

/** False if the server does not answer. */
const isGone = () => call('GET /api/user').then(() => false, isSignedOut)

const deleteAccount = (body: BodyOf<'POST /api/user/delete'>) =>
  outcomeOf(i18n.t('account:data.notDeleted'), async () => {
    await signOutHere(async () => {
      try {
        await call('POST /api/user/delete', { body })
      } catch (error) {
        // The deletion may have succeeded without an answer.
        if (!mayHaveWorked(error) || !(await isGone())) throw error
      }
    }, 'account-deleted')
    // The next member to sign in must not be sent back to /account.
    navigate('/auth', { replace: true })
    toast({
      title: i18n.t('account:data.deletedTitle'),
      description: i18n.t('account:data.deleted'),
    })
  })
