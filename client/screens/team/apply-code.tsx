import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { referralCodeStatus, useReferralCodeCheck } from '#client/screens/auth/live-check.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { Field } from '#client/ui/forms/field.tsx'
import { useKeptFocus } from '#client/ui/kept-focus.ts'
import { Panel } from '#client/ui/panel.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import type { ReferralInfo } from '#rules/snapshots'
import { applyCode, useTeamCommand } from './team-commands.ts'
import { memberName } from './team-view.ts'

/** Longest input that the server accepts; a code with every separator is far shorter. */
const MAX_LENGTH = 64

export function InviterPanel({ referrer }: Pick<ReferralInfo, 'referrer'>) {
  const { t } = useTranslation('team')
  const keptFocus = useKeptFocus()
  if (!referrer) {
    return (
      <Panel {...keptFocus}>
        <ApplyCode />
      </Panel>
    )
  }
  const name = memberName(referrer.username)
  return (
    <Panel aria-label={t('inviter')} className="flex items-center gap-3 py-4!" {...keptFocus}>
      <Avatar name={name} />
      <p className="min-w-0">
        <span className="block text-xs text-muted">{t('inviter')}</span>
        <span className="block truncate text-sm font-medium">{name}</span>
      </p>
    </Panel>
  )
}

function ApplyCode() {
  const { t } = useTranslation('team')
  const [code, setCode] = useState('')
  const [rejection, setRejection] = useState<string | null>(null)
  const button = useTeamCommand('apply')
  const check = referralCodeStatus(useReferralCodeCheck(code))
  async function submit(event: FormEvent) {
    event.preventDefault()
    setRejection(await applyCode(code))
  }
  return (
    <form onSubmit={submit}>
      <Field
        label={t('apply.label')}
        placeholder={t('apply.placeholder')}
        value={code}
        onChange={(event) => {
          setCode(event.target.value)
          setRejection(null)
        }}
        hint={t('apply.hint')}
        status={check}
        error={rejection ?? undefined}
        maxLength={MAX_LENGTH}
        autoCapitalize="characters"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        inputClassName="font-mono placeholder:font-sans"
      />
      {/* The result of the check has replaced the hint of the field. */}
      {(check || rejection) && <p className="pt-1 text-xs text-muted">{t('apply.hint')}</p>}
      <Button
        type="submit"
        size="large"
        className="mt-2 w-full"
        {...button}
        disabled={code.trim() === '' || button.disabled}
      >
        {t('apply.submit')}
      </Button>
    </form>
  )
}
