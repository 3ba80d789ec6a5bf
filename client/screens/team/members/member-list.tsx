import { useAtomValue } from 'jotai'
import UsersRound from 'lucide-react/icons/users-round'
import { useTranslation } from 'react-i18next'
import { wholeText } from '#client/format/amounts.ts'
import { TitledPanel } from '#client/ui/panel.tsx'
import { LoadingNote } from '#client/ui/states/loading-note.tsx'
import { SkeletonRows } from '#client/ui/states/skeleton-rows.tsx'
import type { ReferralInfo } from '#rules/snapshots'
import { MemberRows } from './member-rows.tsx'
import { MiningDot } from './mining-dot.tsx'
import { miningNowAtom } from './mining-now.ts'
import { teamAtom } from './team-members.ts'

/** The direct members, newest first, and how many of them are mining. */
export function MemberList({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const team = useAtomValue(teamAtom)
  const size = info?.teamSize ?? 0
  return (
    <TitledPanel
      titleId="members-title"
      title={t('members.title')}
      className="pb-2!"
      headClassName="items-baseline gap-3"
      beside={
        size > 0 ? <span className="figure text-sm text-muted">{wholeText(size)}</span> : null
      }
    >
      {size > 0 && <MiningCount />}
      {team === null ? (
        <Waiting />
      ) : team.members.length === 0 ? (
        <Empty />
      ) : (
        <MemberRows team={team} />
      )}
    </TitledPanel>
  )
}

/** A status, so that screen readers announce a change; its line is there before it is known. */
function MiningCount() {
  const { t } = useTranslation('team')
  const now = useAtomValue(miningNowAtom)
  return (
    <p role="status" className="mt-0.5 flex min-h-5 items-center gap-2 text-sm text-mint">
      {now !== null && now.total > 0 && (
        <>
          <MiningDot />
          <span>{t('members.mining', { total: wholeText(now.total) })}</span>
        </>
      )}
    </p>
  )
}

function Empty() {
  const { t } = useTranslation('team')
  return (
    <div className="flex flex-col items-center gap-3 pt-8 pb-10 text-center">
      <UsersRound aria-hidden="true" className="size-7 text-muted" strokeWidth={1.5} />
      <p className="text-sm text-muted">{t('members.empty')}</p>
    </div>
  )
}

function Waiting() {
  const { t } = useTranslation('team')
  return (
    <div className="mt-2">
      <LoadingNote text={t('members.loading')} />
      <SkeletonRows count={3} />
    </div>
  )
}
