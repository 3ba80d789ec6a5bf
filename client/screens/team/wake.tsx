import BellRing from 'lucide-react/icons/bell-ring'
import { useTranslation } from 'react-i18next'
import { call } from '#client/data/api.ts'
import { receiveAnswer, TEAM_MINING_URL } from '#client/data/member-data.ts'
import { refresh } from '#client/data/refresh.ts'
import { i18n } from '#client/language/language.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { showFailure, toast } from '#client/ui/toasts/toast.ts'

async function wake(memberId: number, name: string): Promise<void> {
  try {
    await receiveAnswer(TEAM_MINING_URL, call('POST /api/referral/wake', { body: { memberId } }))
    toast({ title: i18n.t('team:wake.done', { name }) })
  } catch (error) {
    showFailure(i18n.t('team:wake.failed', { name }), error)
    await refresh(TEAM_MINING_URL)
  }
}

export function WakeButton({ memberId, name }: { memberId: number; name: string }) {
  const { t } = useTranslation('team')
  return (
    <Button
      variant="secondary"
      icon={BellRing}
      aria-label={t('wake.label', { name })}
      title={t('wake.label', { name })}
      className="min-w-11 px-3!"
      onPress={() => wake(memberId, name)}
    >
      <span className="@max-[18rem]:hidden">{t('wake.press')}</span>
    </Button>
  )
}
