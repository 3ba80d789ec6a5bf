import { useTranslation } from 'react-i18next'
import { memberName } from '#client/screens/team/team-view.ts'
import { Panel } from '#client/ui/panel.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'

/** Who invited the member. */
export function Inviter({ username }: { username: string }) {
  const { t } = useTranslation('team')
  const name = memberName(username)
  return (
    <Panel aria-label={t('inviter')} className="flex items-center gap-3 py-4!">
      <Avatar name={name} />
      <p className="min-w-0">
        <span className="block text-xs text-muted">{t('inviter')}</span>
        <span className="block truncate text-sm font-medium">{name}</span>
      </p>
    </Panel>
  )
}
