import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateText } from '#client/format/dates.ts'
import type { SignInFactors } from '#rules/members/account-snapshots'
import { RenewDialog } from './renew-dialog.tsx'
import { SetUpDialog } from './set-up-dialog.tsx'
import { TurnOffDialog } from './turn-off-dialog.tsx'

type AuthenticatorProps = { authenticator: SignInFactors['authenticator']; username: string }

/** One-time codes of an authenticator app: set up, or recovery codes and off. */
export function Authenticator({ authenticator, username }: AuthenticatorProps) {
  const { t } = useTranslation('account')
  // The dialog that switches the codes on stays until its recovery codes were read.
  const [isSettingUp, setSettingUp] = useState(false)
  const isOn = authenticator !== null
  return (
    <>
      <h3 className="mt-6 border-t border-line pt-5 text-sm font-medium">
        {t('factors.app.title')}
      </h3>
      <p className="mt-1 text-sm text-muted">{t('factors.app.text')}</p>
      {isOn && (
        <p className="mt-2 text-sm">
          {t('factors.app.onSince', { date: dateText(authenticator.since) })}{' '}
          {t('factors.recovery.left', { count: authenticator.recoveryCodesLeft })}
        </p>
      )}
      <div className="mt-3">
        {isOn && !isSettingUp ? (
          <div className="grid gap-2 sm:grid-cols-2">
            <RenewDialog username={username} />
            <TurnOffDialog username={username} />
          </div>
        ) : (
          <SetUpDialog username={username} onOpenChange={setSettingUp} />
        )}
      </div>
    </>
  )
}
