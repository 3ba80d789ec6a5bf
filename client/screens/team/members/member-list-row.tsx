import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { dateText } from '#client/format/dates.ts'
import { memberName } from '#client/screens/team/team-view.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import type { TeamMember } from '#rules/snapshots'
import { MiningDot } from './mining-dot.tsx'

export type MemberListRowProps = {
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
export const MemberListRow = memo(function MemberListRow({
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
