import { useAtomValue } from 'jotai'
import KeyRound from 'lucide-react/icons/key-round'
import LogOut from 'lucide-react/icons/log-out'
import { useTranslation } from 'react-i18next'
import { newIdempotencyKey } from '#client/commands/attempt.ts'
import { call, mayHaveWorked } from '#client/data/api.ts'
import { OPENED, routeQuery } from '#client/data/member-data.ts'
import { refresh } from '#client/data/refresh.ts'
import { dateTimeText } from '#client/format/dates.ts'
import { i18n } from '#client/language/language.ts'
import { RichText } from '#client/language/rich-text.tsx'
import { NewPasswordFields } from '#client/ui/forms/form-field.tsx'
import { type FormOutcome, outcomeOf } from '#client/ui/forms/formik-form.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { TitledPanel } from '#client/ui/panel.tsx'
import { toast } from '#client/ui/toasts/toast.ts'
import { changePasswordForm } from '#contract/forms/password-confirmed'
import type { BodyOf } from '#contract/routes'
import type { MemberSignIn } from '#rules/members/account-snapshots'
import { deviceText } from './device-text.ts'
import { Loaded } from './loaded.tsx'
import { PasswordDialog, passwordOnly } from './password-form.tsx'

export function SignInsPanel() {
  const { t } = useTranslation('account')
  const query = useAtomValue(signInsAtom)
  const hasOthers = query.data?.signIns.some(({ current }) => !current) ?? false
  return (
    <TitledPanel titleId="sign-ins-title" title={t('signIns.title')} {...useKeptFocus()}>
      <p className="mt-1 text-sm text-muted">{t('signIns.text')}</p>
      <Loaded query={query} skeleton="mt-4 h-16.75" failure={t('signIns.loadFailed')}>
        {({ signIns }) => (
          <ul className="mt-4">
            {signIns.map((signIn) => (
              <SignInRow key={signIn.id} signIn={signIn} />
            ))}
          </ul>
        )}
      </Loaded>
      <div className="mt-2 grid gap-2 sm:grid-cols-2">
        <PasswordDialog
          label={t('signIns.changePassword')}
          description={t('signIns.onlyHere')}
          icon={KeyRound}
          passwordLabel={t('signIns.currentPassword')}
          initialValues={{ password: '', newPassword: '', confirmPassword: '' }}
          validationSchema={changePasswordForm}
          submit={{ children: t('signIns.changePassword') }}
          onSubmit={changePassword}
        >
          <NewPasswordFields name="newPassword" />
        </PasswordDialog>
        <PasswordDialog
          {...passwordOnly}
          label={t('signIns.signOutOthers')}
          description={t('signIns.onlyHere')}
          variant="destructive"
          icon={LogOut}
          disabled={!hasOthers}
          submit={{ variant: 'destructive', children: t('signIns.signOut') }}
          onSubmit={endOtherSignIns}
        />
      </div>
    </TitledPanel>
  )
}

function SignInRow({ signIn }: { signIn: MemberSignIn }) {
  const { t } = useTranslation('account')
  const { id, network, lastSeenAt, current } = signIn
  const device = deviceText(signIn.device)
  const title = t('signIns.signOutDevice', { device })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3">
      <div className="min-w-0 grow basis-44 text-sm">
        <p className="font-medium">{device}</p>
        <p className="mt-0.5 text-muted">
          {current ? (
            t('signIns.thisDevice', { network })
          ) : (
            <RichText
              text={t('signIns.lastSeen', { date: dateTimeText(lastSeenAt), network })}
              elements={{ when: <time dateTime={lastSeenAt} /> }}
            />
          )}
        </p>
      </div>
      {!current && (
        <PasswordDialog
          {...passwordOnly}
          label={t('signIns.signOut')}
          aria-label={title}
          title={title}
          description={t('signIns.signOutDeviceText')}
          submit={{ variant: 'destructive', children: t('signIns.signOut') }}
          onSubmit={({ password }) => endSignIn({ signInId: id, password })}
        />
      )}
    </li>
  )
}

const report = (
  sent: Promise<unknown>,
  done: 'ended' | 'othersEnded' | 'passwordChanged',
  failed: 'notEnded' | 'othersNotEnded' | 'passwordNotChanged',
) =>
  outcomeOf(i18n.t(`account:signIns.${failed}`), async () => {
    await sent
    toast({ title: i18n.t(`account:signIns.${done}`) })
    void refresh('/api/user/sign-ins')
  })

const endSignIn = (body: BodyOf<'POST /api/user/sign-ins/end'>) =>
  report(call('POST /api/user/sign-ins/end', { body }), 'ended', 'notEnded')

const endOtherSignIns = (body: BodyOf<'POST /api/user/sign-ins/end-others'>) =>
  report(call('POST /api/user/sign-ins/end-others', { body }), 'othersEnded', 'othersNotEnded')

/** Repeats a lost request once. Never waits for the network: the device would have to store both passwords. */
function changePassword({
  password,
  newPassword,
}: BodyOf<'POST /api/user/password'>): Promise<FormOutcome> {
  const idempotencyKey = newIdempotencyKey()
  const body = { password, newPassword }
  const send = () => call('POST /api/user/password', { body, idempotencyKey })
  const repeat = (error: unknown) => {
    if (!mayHaveWorked(error)) throw error
    return send()
  }
  return report(send().catch(repeat), 'passwordChanged', 'passwordNotChanged')
}

const signInsAtom = routeQuery('/api/user/sign-ins', OPENED)
