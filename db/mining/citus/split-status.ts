import type { QueryResult } from 'pg'
import { logChange } from '#db/ledger/log-change'
import { COUNTER_SQL } from '#db/ledger/network-counters'
import {
  memberColumns,
  type StatusRow,
  sessionJson,
  statusOf,
  USER_COLUMNS,
} from '#db/mining/status-row'
import { prepared } from '#db/postgres/statements/prepared'
import type { Tx } from '#db/postgres/statements/transaction'
import type { MiningStatus } from '#rules/snapshots'

/** Counts a session that was just started, and reads it with the stats. */
export const SPLIT_STARTED_SQL = `
  with counted as (
    update network_counters set "activeSessions" = "activeSessions" + 1,
      "activeRate" = "activeRate" + :hashRate where ${COUNTER_SQL}
  )
  select ${memberColumns(sessionJson('s'))}
  from mining_sessions s join mining_stats m on m.bucket = s.bucket and m."userId" = s."userId"
  where s.bucket = :bucket and m.bucket = :bucket and s."userId" = :userId and s.active`

type MemberRow = Pick<
  StatusRow,
  'pendingRewards' | 'pendingUsdtRewards' | 'lastClaimTime' | 'session'
>
const USER_SQL = `select ${USER_COLUMNS} from users u where u.id = :memberId`

/**
 * The status after a change, given the statement that changes and returns the rows of the member's node: the
 * log and users are on the coordinator. The three are sent together.
 */
export async function splitStatus(
  tx: Tx,
  memberId: number,
  changed: Promise<QueryResult<MemberRow>>,
): Promise<MiningStatus> {
  const [member, user] = await Promise.all([
    changed,
    prepared(tx, 'status-user', USER_SQL, { memberId }),
    logChange(tx, memberId),
  ])
  return statusOf({ ...member.rows[0], ...user.rows[0] })
}
