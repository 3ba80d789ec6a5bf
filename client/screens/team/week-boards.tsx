import { useAtomValue } from 'jotai'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '#client/data/api.ts'
import { currentUser, memberIdAtom, memberQueryKey } from '#client/data/member-data.ts'
import { queryAtom } from '#client/data/query-cache.ts'
import { refresh } from '#client/data/refresh.ts'
import { grouped, wholeText } from '#client/format/amounts.ts'
import { timeText, utcDayText } from '#client/format/dates.ts'
import { i18n } from '#client/language/language.ts'
import { Badge } from '#client/ui/badge.tsx'
import { Button } from '#client/ui/buttons/button.tsx'
import { LoadingNote, Skeleton } from '#client/ui/loading.tsx'
import { showFailure, toast } from '#client/ui/toasts/toast.ts'
import { REFERRAL_POLL_MS, STATUS_POLL_MS } from '#rules/constants'
import { display } from '#rules/money/money'
import type { BoardListing, BoardRow, WeekBoard, WeekBoards } from '#rules/snapshots'

/** Not a `memberQuery`, which hides that a later read failed: the board says that it is not available. */
const weekAtom = queryAtom<WeekBoards>((get) => {
  const memberId = get(memberIdAtom)
  return {
    queryKey: memberQueryKey('/api/referral/week', memberId),
    queryFn: () => call('GET /api/referral/week'),
    enabled: memberId !== undefined,
    staleTime: 0,
    // After a start the board is there within seconds.
    refetchInterval: ({ state }) => (state.status === 'error' ? STATUS_POLL_MS : REFERRAL_POLL_MS),
  }
})

export function WeekBoardsView() {
  const { t } = useTranslation(['weekBoards', 'common'])
  const { data, isError } = useAtomValue(weekAtom)
  if (data === undefined) {
    return isError ? (
      <div role="alert" className="text-sm">
        <p className="font-medium">{t('unavailable')}</p>
        <p className="mt-1 text-muted">{t('unavailableText')}</p>
        <Button
          variant="secondary"
          className="mt-4"
          onClick={() => void refresh('/api/referral/week')}
        >
          {t('common:tryAgain')}
        </Button>
      </div>
    ) : (
      <>
        <LoadingNote text={t('loading')} />
        <Skeleton className="h-10 w-full rounded-control" />
        <Skeleton className="mt-5 h-48 w-full rounded-control" />
      </>
    )
  }
  return (
    <>
      <p className="text-sm text-muted">{t('text', { monday: utcDayText(data.week) })}</p>
      <section className="mt-5">
        <h3 id="week-team" className="text-sm font-medium">
          {t('team')}
        </h3>
        <BoardList board={data.team} labelledBy="week-team" />
        {data.team.members === 1 && <p className="mt-2 text-sm text-muted">{t('alone')}</p>}
      </section>
      <Everyone board={data.everyone} listing={data.listing} />
      <p className={`mt-5 text-xs ${isError ? 'text-amber' : 'text-muted'}`}>
        {/* The time changes each minute, which no screen reader should announce. */}
        <span role="status">{isError && `${t('unavailable')}. `}</span>
        {t('readAt', { time: timeText(data.readAt) })}
      </p>
    </>
  )
}

function Everyone({ board, listing }: { board: WeekBoard | null; listing: BoardListing }) {
  const { t } = useTranslation('weekBoards')
  const name = currentUser()?.username ?? ''
  return (
    <section aria-labelledby="week-everyone" className="mt-6">
      <h3 id="week-everyone" className="text-sm font-medium">
        {t('everyone')}
      </h3>
      {board === null || listing === null ? (
        <>
          <p className="mt-1 text-sm text-muted">{t('offer')}</p>
          <div className="mt-3 flex flex-wrap gap-3">
            <ListButton listing="name">{t('joinNamed', { name })}</ListButton>
            <ListButton listing="anonymous">{t('joinAnonymous')}</ListButton>
          </div>
        </>
      ) : (
        <>
          <p className="mt-1 text-sm text-muted">
            {t(listing === 'name' ? 'listedNamed' : 'listedAnonymous')}{' '}
            {!board.rows.some(({ who }) => who === 'self') && t('mineFirst')}
          </p>
          <BoardList board={board} labelledBy="week-everyone" />
          <p className="mt-2 text-xs text-muted">
            {t('members', { total: wholeText(board.members) })}
          </p>
          <div className="mt-3 flex flex-wrap gap-3">
            <ListButton listing={null}>{t('leave')}</ListButton>
            <ListButton listing={listing === 'name' ? 'anonymous' : 'name'}>
              {t(listing === 'name' ? 'hideName' : 'showName')}
            </ListButton>
          </div>
        </>
      )}
    </section>
  )
}

async function list(listing: BoardListing): Promise<void> {
  try {
    await call('POST /api/referral/week', { body: { listing } })
    toast({ title: i18n.t(listing ? 'weekBoards:joined' : 'weekBoards:gone') })
  } catch (error) {
    showFailure(i18n.t('weekBoards:failed'), error)
  }
  await refresh('/api/referral/week')
}

function ListButton({ listing, children }: { listing: BoardListing; children: string }) {
  return (
    <Button variant="secondary" className="grow" onPress={() => list(listing)}>
      <span className="wrap-anywhere">{children}</span>
    </Button>
  )
}

function BoardList({ board, labelledBy }: { board: WeekBoard; labelledBy: string }) {
  const { t } = useTranslation('weekBoards')
  return (
    <ol aria-labelledby={labelledBy} className="mt-2 text-sm">
      {board.rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: anonymous rows have nothing else of their own.
        <Fragment key={at}>
          {row.gap && (
            <li className="border-line border-t py-0.5 text-center text-muted">
              <span aria-hidden="true">⋯</span>
              <span className="sr-only">{t('left')}</span>
            </li>
          )}
          <Row row={row} />
        </Fragment>
      ))}
    </ol>
  )
}

function Row({ row: { rank, who, name, tesp } }: { row: BoardRow }) {
  const { t } = useTranslation('weekBoards')
  return (
    <li
      className={`flex flex-wrap items-baseline gap-x-3 border-line border-t px-2 py-2 ${who === 'self' ? 'rounded-chip bg-mint-soft text-mint' : ''}`}
    >
      <span className="figure min-w-6 text-muted">
        {rank === null ? (
          <>
            <span aria-hidden="true">–</span>
            <span className="sr-only">{t('noRank')}</span>
          </>
        ) : (
          wholeText(rank)
        )}
      </span>
      <span className="flex min-w-0 grow basis-24 flex-wrap items-center gap-x-2 gap-y-1">
        <span
          className={`max-w-full truncate ${name === null ? 'text-muted italic' : 'font-medium'}`}
        >
          {name ?? t('anonymous')}
        </span>
        {who === 'self' && <Badge>{t('you')}</Badge>}
        {who === 'inviter' && <Badge tone="sky">{t('inviter')}</Badge>}
      </span>
      <span className="figure ml-auto whitespace-nowrap">
        {grouped(display(tesp, 4))}
        <span className="sr-only"> TESP</span>
      </span>
    </li>
  )
}
