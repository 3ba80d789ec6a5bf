import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#client/ui/buttons/button.tsx'
import { LoadMore } from '#client/ui/buttons/load-more.tsx'
import { MemberListRow } from './member-list-row.tsx'
import { miningNowAtom } from './mining-now.ts'
import { loadOlderMembers, olderMembersAtom, type Team } from './team-members.ts'

/** Rows before the member asks for more, so that the end of the page is near. */
export const FIRST_ROWS = 20

/** The members of a team, of which the first are shown; more are read as the page is scrolled. */
export function MemberRows({ team: { members, hasMore } }: { team: Team }) {
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
