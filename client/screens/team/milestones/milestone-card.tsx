import { useAtomValue } from 'jotai'
import { CircleCheck, Trophy } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { grouped, wholeText } from '#client/format/amounts.ts'
import { RichText } from '#client/language/rich-text.tsx'
import { checkMilestones } from '#client/screens/team/team-commands.ts'
import { useTeamCommand } from '#client/screens/team/use-team-command.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { readyMilestones } from '#rules/money/milestones'
import { compact } from '#rules/money/money'
import type { ReferralInfo } from '#rules/snapshots'
import { clearPayout, type Payout, payoutAtom, payoutOf } from './payout.ts'

/** A milestone that is ready to be paid, then what was paid; nothing otherwise. */
export function MilestoneCard({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const paid = useAtomValue(payoutAtom)
  const button = useTeamCommand('check-reward')
  useEffect(() => clearPayout, [])
  const ready = info ? readyMilestones(info) : []
  if (ready.length > 0) {
    const payout = payoutOf(ready)
    return (
      <Card icon={<Trophy aria-hidden="true" className="size-6 text-amber" />} tone="ready">
        <h2 id="milestone-ready" className="text-base">
          {t('milestone.ready', { members: membersText(payout) })}
        </h2>
        <p className="mt-1 text-sm text-muted">
          <RichText text={t('milestone.readyNote')} elements={amountsOf(payout)} />
        </p>
        <Button
          className="mt-3 w-full"
          {...button}
          onClick={() => void checkMilestones('check-reward')}
        >
          {t('milestone.receive')}
        </Button>
      </Card>
    )
  }
  if (!paid) return null
  return (
    <Card icon={<CircleCheck aria-hidden="true" className="size-6 text-mint" />} tone="paid">
      <h2 id="milestone-ready" className="text-base">
        {t('milestone.paid', { members: membersText(paid) })}
      </h2>
      <p className="mt-1 text-sm text-muted">
        <RichText text={t('milestone.paidNote')} elements={amountsOf(paid)} />
      </p>
    </Card>
  )
}

const tones = { ready: 'border-amber-line!', paid: 'border-mint-line!' }

function Card({
  icon,
  tone,
  children,
}: {
  icon: ReactNode
  tone: keyof typeof tones
  children: ReactNode
}) {
  return (
    <Panel aria-labelledby="milestone-ready" className={`flex gap-4 ${tones[tone]}`}>
      <span className="shrink-0">{icon}</span>
      <div className="min-w-0 grow">{children}</div>
    </Panel>
  )
}

const membersText = ({ members }: Payout) => members.map(wholeText).join(', ')

/** Both amounts by their place in a sentence; neither breaks within. */
function amountsOf({ tesp, usdt }: Payout) {
  const look = 'figure whitespace-nowrap'
  return {
    tesp: <span className={`${look} text-mint`}>{`${grouped(compact(tesp))} TESP`}</span>,
    usdt: <span className={`${look} text-sky`}>{`${grouped(compact(usdt))} USDT`}</span>,
  }
}
