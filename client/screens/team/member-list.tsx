import { useAtomValue } from 'jotai'
import { UsersRound } from 'lucide-react'
import { useRef } from 'react'
import { LoadMore } from '#client/ui/load-more.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import type { ReferralInfo } from '#rules/snapshots'
import { MemberListRow } from './member-list-row.tsx'
import { loadOlderMembers, olderMembersAtom, type Team, teamAtom } from './team-members.ts'

/** The direct members, newest first, in a scrolling box so that the page stays short. */
export function MemberList({ info }: { info: ReferralInfo | undefined }) {
  const team = useAtomValue(teamAtom)
  return (
    <Panel aria-labelledby="members-title" className="pb-2!">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="members-title" className="text-base">
          Team members
        </h2>
        {info && info.teamSize > 0 && (
          <span className="figure text-sm text-muted">{info.teamSize.toLocaleString('en-US')}</span>
        )}
      </div>
      {team === null ? <Waiting /> : team.members.length === 0 ? <Empty /> : <Rows team={team} />}
    </Panel>
  )
}

function Rows({ team: { members, hasMore } }: { team: Team }) {
  const box = useRef<HTMLElement>(null)
  const state = useAtomValue(olderMembersAtom)
  return (
    // Focusable, so that the keyboard can scroll it.
    <section
      ref={box}
      aria-label="List of team members"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
      tabIndex={0}
      className="-mx-5 mt-2 max-h-112 overflow-y-auto overscroll-y-auto px-5 -outline-offset-2"
    >
      <ul>
        {members.map((member, index) => (
          <MemberListRow
            key={member.id}
            member={member}
            position={index + 1}
            size={hasMore ? -1 : members.length}
          />
        ))}
      </ul>
      {hasMore && (
        <LoadMore
          state={state}
          onLoad={loadOlderMembers}
          failedText="Older members could not be loaded"
          within={box}
        />
      )}
    </section>
  )
}

function Empty() {
  return (
    <div className="flex flex-col items-center gap-3 pt-8 pb-10 text-center">
      <UsersRound aria-hidden="true" className="size-7 text-muted" strokeWidth={1.5} />
      <p className="text-sm text-muted">No referred members yet</p>
    </div>
  )
}

function Waiting() {
  return (
    <div role="status" className="mt-2">
      <span className="sr-only">Loading team members</span>
      {['a', 'b', 'c'].map((row) => (
        <div key={row} className="flex items-center gap-3 py-3">
          <Skeleton className="size-9 rounded-full" />
          <div className="grow">
            <Skeleton className="h-5 w-28" />
            <Skeleton className="mt-1 h-4 w-40" />
          </div>
          <Skeleton className="h-4 w-20" />
        </div>
      ))}
    </div>
  )
}
