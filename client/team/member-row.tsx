import { memo } from 'react'
import { Avatar } from '#client/ui/avatar.tsx'
import { Badge } from '#client/ui/badge.tsx'
import type { TeamMember } from '#rules/snapshots'

const localDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** What is known of a member never changes here, so a row is drawn once; out of sight it costs nothing. */
export const MemberRow = memo(
  function MemberRow({ member }: { member: TeamMember }) {
    return (
      <li className="flex items-center gap-3 border-line border-t py-3 [contain-intrinsic-size:auto_4.0625rem] [content-visibility:auto] first:border-t-0">
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
          <time dateTime={member.createdAt}>{localDate.format(new Date(member.createdAt))}</time>
        </p>
      </li>
    )
  },
  (before, after) => before.member.id === after.member.id,
)
