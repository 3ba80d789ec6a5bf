import { useAtomValue } from 'jotai'
import CircleCheck from 'lucide-react/icons/circle-check'
import Trophy from 'lucide-react/icons/trophy'
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
      <Card
        look="ready"
        title={t('milestone.ready', { members: membersText(payout) })}
        note={<RichText text={t('milestone.readyNote')} elements={amountsOf(payout)} />}
      >
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
    <Card
      look="paid"
      title={t('milestone.paid', { members: membersText(paid) })}
      note={<RichText text={t('milestone.paidNote')} elements={amountsOf(paid)} />}
    />
  )
}

const looks = {
  ready: { Icon: Trophy, border: 'border-amber-line!', tone: 'text-amber' },
  paid: { Icon: CircleCheck, border: 'border-mint-line!', tone: 'text-mint' },
}

type CardProps = {
  look: keyof typeof looks
  title: string
  note: ReactNode
  children?: ReactNode
}

function Card({ look, title, note, children }: CardProps) {
  const { Icon, border, tone } = looks[look]
  return (
    <Panel aria-labelledby="milestone-ready" className={`flex gap-4 ${border}`}>
      <span className="shrink-0">
        <Icon aria-hidden="true" className={`size-6 ${tone}`} />
      </span>
      <div className="min-w-0 grow">
        <h2 id="milestone-ready" className="text-base">
          {title}
        </h2>
        <p className="mt-1 text-sm text-muted">{note}</p>
        {children}
      </div>
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
