import { useTranslation } from 'react-i18next'
import { dateTimeText } from '#client/format/dates.ts'
import { i18n } from '#client/language/language.ts'
import { translated } from '#client/language/messages/server-message.ts'
import { RichText } from '#client/language/rich-text.tsx'
import { PasswordDialog } from '#client/screens/account/personal-data/password-dialog.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import type { MemberSignIn } from '#rules/members/account-snapshots'
import { endSignIn } from './sign-in-commands.ts'

type SignInRowProps = { signIn: MemberSignIn; username: string }

/** A device in the language on the screen; the server names it in English. */
function deviceText(device: string): string {
  const [, browser, system] = /^(?!Unknown)(.+) on (.+)$/.exec(device) ?? []
  return browser && system
    ? i18n.t('account:signIns.device', { browser, system })
    : translated(device)
}

/** One sign-in: device, network, last request, and a button that ends it unless it is this one. */
export function SignInRow({ signIn, username }: SignInRowProps) {
  const { t } = useTranslation('account')
  const { id, network, lastSeenAt, current } = signIn
  const device = deviceText(signIn.device)
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
          title={t('signIns.signOutDevice', { device })}
          description={t('signIns.signOutDeviceText')}
          username={username}
          confirm={t('signIns.signOut')}
          act={(password) => endSignIn({ signInId: id, password })}
          trigger={
            <Button variant="secondary" aria-label={t('signIns.signOutDevice', { device })}>
              {t('signIns.signOut')}
            </Button>
          }
        />
      )}
    </li>
  )
}
