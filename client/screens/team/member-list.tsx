import { useAtomValue } from 'jotai'
import BellRing from 'lucide-react/icons/bell-ring'
import UsersRound from 'lucide-react/icons/users-round'
import { memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#client/data/api.ts'
import { receiveAnswer } from '#client/data/member-data.ts'
import { refresh } from '#client/data/refresh.ts'
import { wholeText } from '#client/format/amounts.ts'
import { dateText } from '#client/format/dates.ts'
import { i18n } from '#client/language/language.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { classNames } from '#client/ui/class-names.ts'
import { takeFocus, useKeptFocus } from '#client/ui/kept-focus.ts'
import { LoadMore, SkeletonRows } from '#client/ui/load-more.tsx'
import { TitledPanel } from '#client/ui/panel.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { showFailure, toast } from '#client/ui/toasts/toast.ts'
import type { ReferralInfo, TeamMember } from '#rules/snapshots'
import { miningNowAtom, teamList, type Wake } from './team-members.ts'
import { memberName } from './team-view.ts'

export function MemberList({ info }: { info: ReferralInfo | undefined }) {
  const { t } = useTranslation('team')
  const team = useAtomValue(teamList.rowsAtom)
  const size = info?.teamSize ?? 0
  return (
    <TitledPanel
      titleId="members-title"
      title={t('members.title')}
      className="pb-2!"
      headClassName="items-baseline gap-3"
      trailing={
        size > 0 ? <span className="figure text-sm text-muted">{wholeText(size)}</span> : null
      }
    >
      {size > 0 && <MiningCount />}
      {team === null ? (
        <div className="mt-2">
          <SkeletonRows text={t('members.loading')} count={3} />
        </div>
      ) : team.items.length === 0 ? (
        <div className="flex flex-col items-center gap-3 pt-8 pb-10 text-center">
          <UsersRound className="size-7 text-muted" strokeWidth={1.5} />
          <p className="text-sm text-muted">{t('members.empty')}</p>
        </div>
      ) : (
        <MemberRows members={team.items} hasMore={team.next !== null} />
      )}
    </TitledPanel>
  )
}

/** A status, so that screen readers announce a change; its line stays free, so that nothing moves. */
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

/** Rows before the member asks for more, so that the end of the page is near. */
export const FIRST_ROWS = 20

function MemberRows({ members, hasMore }: { members: TeamMember[]; hasMore: boolean }) {
  const { t } = useTranslation(['team', 'common'])
  const [all, setAll] = useState(false)
  const mining = useAtomValue(miningNowAtom)
  const list = useRef<HTMLUListElement>(null)
  const isCut = !all && members.length > FIRST_ROWS

  // The pressed button is gone, so the first row that it added takes the focus.
  useEffect(() => {
    const next = list.current?.children[FIRST_ROWS]
    if (all && next instanceof HTMLElement) takeFocus(next)
  }, [all])

  return (
    <>
      <ul ref={list} aria-label={t('members.list')} className="@container mt-2">
        {(isCut ? members.slice(0, FIRST_ROWS) : members).map((member, index) => (
          <MemberListRow
            key={member.id}
            member={member}
            wake={mining?.wakeOf(member.id) ?? null}
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
        hasMore && <LoadMore list={teamList} failedText={t('members.olderFailed')} />
      )}
    </>
  )
}

type MemberListRowProps = {
  member: TeamMember
  wake: Wake
  /** Position in the whole list, from 1, and its length; -1 while more members can be read. */
  position: number
  size: number
}

/** `content-visibility` keeps rows out of sight from being laid out and painted. */
const MemberListRow = memo(function MemberListRow({
  member,
  wake,
  position,
  size,
}: MemberListRowProps) {
  const { t } = useTranslation('team')
  const name = memberName(member.username)
  // Deleted members have no e-mail address and nothing to be reminded of.
  const shown = member.email === '' ? null : wake
  const keptFocus = useKeptFocus()
  return (
    <li
      {...keptFocus}
      aria-posinset={position}
      aria-setsize={size}
      className="flex min-h-16 items-center gap-3 border-line border-b py-1.5 [contain-intrinsic-height:auto_4rem] [content-visibility:auto] last:border-b-0"
    >
      <span className="relative shrink-0 @max-[12rem]:hidden">
        <Avatar name={name} />
        {shown === 'mining' && (
          <MiningDot className="absolute right-0 bottom-0 ring-3 ring-ground" />
        )}
      </span>
      <div className="min-w-0 grow">
        <p className="flex items-center gap-2 @max-[12rem]:flex-wrap">
          {shown === 'mining' && <MiningDot className="hidden @max-[12rem]:block" />}
          <span className="truncate text-sm font-medium">{name}</span>
          {shown === 'mining' && <span className="sr-only">{t('members.isMining')}</span>}
          <Badge>{t('members.direct')}</Badge>
        </p>
        <p className="truncate text-xs text-muted">{member.email}</p>
        <p className="flex flex-wrap gap-x-2 text-xs text-muted">
          <span>
            {t('members.joined')}{' '}
            <time dateTime={member.createdAt}>{dateText(member.createdAt)}</time>
          </span>
          {(shown === 'reminded' || shown === 'off') && (
            <span className={shown === 'reminded' ? 'text-mint' : undefined}>
              {t(`wake.${shown}`)}
            </span>
          )}
        </p>
      </div>
      {shown === 'wakeable' && (
        <Button
          variant="secondary"
          icon={BellRing}
          aria-label={t('wake.label', { name })}
          title={t('wake.label', { name })}
          className="min-w-11 px-3!"
          onPress={() => remind(member.id, name)}
        >
          <span className="@max-[18rem]:hidden">{t('wake.press')}</span>
        </Button>
      )}
    </li>
  )
})

async function remind(memberId: number, name: string): Promise<void> {
  try {
    await receiveAnswer(
      '/api/referral/mining',
      call('POST /api/referral/wake', { body: { memberId } }),
    )
    toast({ title: i18n.t('team:wake.done', { name }) })
  } catch (error) {
    showFailure(i18n.t('team:wake.failed', { name }), error)
    await refresh('/api/referral/mining')
  }
}

function MiningDot({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classNames('size-2 shrink-0 rounded-full bg-mint', className)}
    />
  )
}
