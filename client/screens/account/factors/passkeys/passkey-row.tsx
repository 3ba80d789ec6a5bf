import { useTranslation } from 'react-i18next'
import { dateText, dateTimeText } from '#client/format/dates.ts'
import type { Passkey } from '#rules/members/account-snapshots'
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx'
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx'

/** One passkey: its name, when it was added and used last, and buttons to rename and remove it. */
export function PasskeyRow({ passkey, username }: { passkey: Passkey; username: string }) {
  const { t } = useTranslation('account')
  const { name, addedAt, lastUsedAt, backedUp } = passkey
  const used = lastUsedAt
    ? t('factors.passkeys.lastUsed', { date: dateTimeText(lastUsedAt) })
    : t('factors.passkeys.neverUsed')
  return (
    <li className="flex flex-wrap items-start justify-between gap-2 border-t border-line py-3">
      <div className="min-w-0 grow basis-36 text-sm">
        <p className="wrap-anywhere font-medium">{name}</p>
        <p className="mt-0.5 text-muted">{used}</p>
        <p className="mt-0.5 text-muted">
          {t(backedUp ? 'factors.passkeys.addedSynced' : 'factors.passkeys.added', {
            date: dateText(addedAt),
          })}
        </p>
      </div>
      <div className="-mr-2 flex shrink-0">
        <RenamePasskeyDialog passkey={passkey} />
        <RemovePasskeyDialog passkey={passkey} username={username} />
      </div>
    </li>
  )
}
