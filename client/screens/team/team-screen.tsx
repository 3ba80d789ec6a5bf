import { useAtomValue } from 'jotai'
import ChartNoAxesColumn from 'lucide-react/icons/chart-no-axes-column'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { referralAtom } from '#client/data/referral-info.ts'
import { lazyComponent } from '#client/first-load/lazy-component.tsx'
import { LoadError, StaleNote } from '#client/layout/connection-notes.tsx'
import { ButtonDialog } from '#client/ui/dialogs/dialog.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { InviterPanel } from './apply-code.tsx'
import { InvitePanel } from './invite-panel.tsx'
import { MemberList } from './member-list.tsx'
import { MilestoneCard, MilestoneList, RewardList } from './milestones.tsx'
import { TeamCards } from './team-cards.tsx'

const WeekBoardsView = lazyComponent(
  () => import('./week-boards.tsx'),
  'WeekBoardsView',
  'weekBoards',
)

export function TeamScreen() {
  const { t } = useTranslation(['team', 'layout'])
  const query = useAtomValue(referralAtom)
  const { data: info, isError } = query
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h1 className="text-lg">{t('layout:titles./team')}</h1>
        {info && <StaleNote />}
        <ButtonDialog label={t('week')} icon={ChartNoAxesColumn} readFirst>
          <WeekBoardsView fallback={<Skeleton className="h-64 rounded-control" />} />
        </ButtonDialog>
      </header>
      {isError && !info ? (
        <LoadError query={query} title={t('loadError.title')} cause={t('loadError.text')} />
      ) : (
        // Another key mounts the panels again with the first answer, so that what depends on it (a
        // reached milestone, the form for a code) appears in place instead of moving what is below.
        <Fragment key={info ? 'known' : 'waiting'}>
          <MilestoneCard info={info} />
          <TeamCards info={info} />
          <InvitePanel info={info} />
          {info && <InviterPanel referrer={info.referrer} />}
          <MilestoneList info={info} />
          <RewardList info={info} />
          {/* Last, because it grows while it is read. */}
          <MemberList info={info} />
        </Fragment>
      )}
    </div>
  )
}
