import { useAtomValue } from 'jotai'
import UsersRound from 'lucide-react/icons/users-round'
import { memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { wholeText } from '#client/format/amounts.ts'
import { dateText } from '#client/format/dates.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { LoadMore, SkeletonRows } from '#client/ui/load-more.tsx'
import { LoadingNote } from '#client/ui/loading.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import type { ReferralInfo, TeamMember } from '#rules/snapshots'
import {
  loadOlderMembers,
  miningNowAtom,
  olderMembersAtom,
  type Team,
  teamAtom,
} from './team-members.ts'
import { memberName } from './team-view.ts'

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

/** Rows before the member asks for more, so that the end of the page is near. */
export const FIRST_ROWS = 20

/** The members of a team, of which the first are shown; more are read as the page is scrolled. */
function MemberRows({ team: { members, hasMore } }: { team: Team }) {
  const { t } = useTranslation(['team', 'common'])
  const [all, setAll] = useState(false)
  const state = useAtomValue(olderMembersAtom)
  const mining = useAtomValue(miningNowAtom)
  const list = useRef<HTMLUListElement>(null)
  const isCut = !all && members.length > FIRST_ROWS

  // The pressed button is gone: the focus goes on at the first row that it added.
  useEffect(() => {
    const next = list.current?.children[FIRST_ROWS]
    if (!all || !(next instanceof HTMLElement)) return
    next.tabIndex = -1
    next.focus({ preventScroll: true })
  }, [all])

  return (
    <>
      <ul ref={list} aria-label={t('members.list')} className="@container mt-2">
        {(isCut ? members.slice(0, FIRST_ROWS) : members).map((member, index) => (
          <MemberListRow
            key={member.id}
            member={member}
            mining={mining?.memberIds.has(member.id) ?? false}
            position={index + 1}
            size={hasMore ? -1 : members.length}
          />
        ))}
      </ul>
      {isCut ? (
        <div className="flex justify-center py-4">
          <Button variant="secondary" onClick={() => setAll(true)}>
            {t('common:loadMore')}
          </Button>
        </div>
      ) : (
        hasMore && (
          <LoadMore state={state} onLoad={loadOlderMembers} failedText={t('members.olderFailed')} />
        )
      )}
    </>
  )
}

type MemberListRowProps = {
  member: TeamMember
  /** Whether a session is running. */
  mining: boolean
  /** Position in the whole list, from 1, and its length; -1 while more members can be read. */
  position: number
  size: number
}

/**
 * One direct member. The fixed height and `content-visibility` keep rows out of sight from being
 * laid out and painted. Where the row is narrow, the date stands below the name; with large text the
 * row is as high as its lines.
 */
const MemberListRow = memo(function MemberListRow({
  member,
  mining,
  position,
  size,
}: MemberListRowProps) {
  const { t } = useTranslation('team')
  const name = memberName(member.username)
  const joined = <time dateTime={member.createdAt}>{dateText(member.createdAt)}</time>
  return (
    <li
      aria-posinset={position}
      aria-setsize={size}
      className="flex h-16 items-center gap-3 border-line border-b [contain-intrinsic-height:auto_6rem] [content-visibility:auto] last:border-b-0 @max-[12rem]:h-auto @max-[12rem]:py-2"
    >
      <span className="relative shrink-0">
        <Avatar name={name} />
        {mining && <MiningDot className="absolute right-0 bottom-0 ring-3 ring-ground" />}
      </span>
      <div className="min-w-0 grow">
        <p className="flex items-center gap-2 @max-[12rem]:flex-wrap">
          <span className="truncate text-sm font-medium">{name}</span>
          {mining && <span className="sr-only">{t('members.isMining')}</span>}
          <Badge>{t('members.direct')}</Badge>
        </p>
        <p className="truncate text-xs text-muted">{member.email}</p>
        <p className="hidden text-xs text-muted @max-[19rem]:block">
          {t('members.joined')} {joined}
        </p>
      </div>
      <p className="shrink-0 text-right text-xs text-muted @max-[19rem]:hidden">
        <span className="block">{t('members.joined')}</span>
        {joined}
      </p>
    </li>
  )
})

/** The sign of a running session; the text beside it says so. */
function MiningDot({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('size-2 shrink-0 rounded-full bg-mint', className)}
    />
  )
}
