import { useTranslation } from 'react-i18next'
import { canUsePasskeys } from '#client/passkeys/can-use-passkeys.ts'
import type { Passkey } from '#rules/members/account-snapshots'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { PasskeyRow } from './passkey-row.tsx'

type PasskeyListProps = { passkeys: Passkey[]; username: string; hasCodes: boolean }

/** The passkeys of the member and the button that adds one. */
export function PasskeyList({ passkeys, username, hasCodes }: PasskeyListProps) {
  const { t } = useTranslation('account')
  const name = t('factors.passkeys.defaultName', { number: passkeys.length + 1 })
  return (
    <>
      <h3 className="mt-5 text-sm font-medium">{t('factors.passkeys.title')}</h3>
      <p className="mt-1 text-sm text-muted">{t('factors.passkeys.text')}</p>
      <ul className="mt-3">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} username={username} />
        ))}
      </ul>
      {canUsePasskeys() ? (
        <div className="grid sm:block">
          <AddPasskeyDialog key={name} username={username} name={name} hasCodes={hasCodes} />
        </div>
      ) : (
        <p className="text-sm text-muted">{t('factors.passkeys.unsupported')}</p>
      )}
    </>
  )
}
