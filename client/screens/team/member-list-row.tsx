import { memo } from 'react'
import { dateText } from '#client/format/dates.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Badge } from '#client/ui/badge.tsx'
import type { TeamMember } from '#rules/snapshots'

export type MemberListRowProps = {
  member: TeamMember
  /** Position in the whole list, from 1, and its length; -1 while more members can be read. */
  position: number
  size: number
}

/**
 * One direct member. The fixed height and `content-visibility` keep rows out of sight from being
 * laid out and painted.
 */
export const MemberListRow = memo(function MemberListRow({
  member,
  position,
  size,
}: MemberListRowProps) {
  return (
    <li
      aria-posinset={position}
      aria-setsize={size}
      className="flex h-16 items-center gap-3 border-line border-b [content-visibility:auto]"
    >
      <Avatar name={member.username} />
      <div className="min-w-0 grow">
        <p className="flex items-center gap-2">
          <span className="truncate text-sm font-medium">{member.username}</span>
          <Badge>F1</Badge>
        </p>
        <p className="truncate text-xs text-muted">{member.email}</p>
      </div>
      <p className="shrink-0 text-right text-xs text-muted">
        <span className="block">Joined</span>
        <time dateTime={member.createdAt}>{dateText(member.createdAt)}</time>
      </p>
    </li>
  )
})
