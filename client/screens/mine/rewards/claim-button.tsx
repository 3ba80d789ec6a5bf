import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { progressLabel } from '#client/commands/progress-label.ts'
import { RichText } from '#client/language/rich-text.tsx'
import { claimRewards, miningCommandAtom } from '#client/screens/mine/mining-commands.ts'
import { claimable, cooldownMs } from '#client/screens/mine/mining-view.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { remainingText } from '#rules/duration-text'
import type { MiningStatus } from '#rules/snapshots'

type ClaimButtonProps = { mining: { status: MiningStatus; now: number } | null }

export function ClaimButton({ mining }: ClaimButtonProps) {
  const { t } = useTranslation('mine')
  const running = useAtomValue(miningCommandAtom)
  const claiming = running?.command === 'claim'
  const ready = mining !== null && claimable(mining.status, mining.now)
  const cooldown = mining?.status.hasPendingRewards ? cooldownMs(mining.status, mining.now) : 0
  return (
    <>
      <Button
        size="large"
        className="mt-4 w-full"
        disabled={!ready || running !== null}
        busy={claiming}
        busyLabel={progressLabel(claiming ? running.state : 'pending', t('pending.claiming'))}
        onClick={claimRewards}
      >
        {t('pending.claim')}
      </Button>
      {cooldown > 0 && (
        <p className="mt-3 text-center text-sm text-muted">
          <RichText
            text={t('pending.cooldown', { remaining: remainingText(cooldown) })}
            elements={{ figure: <span className="figure" /> }}
          />
        </p>
      )}
    </>
  )
}
