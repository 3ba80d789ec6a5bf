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
  from mining_sessions s join mining_stats m on m.shard = s.shard and m."userId" = s."userId"
  where s.shard = :shard and m.shard = :shard and s."userId" = :userId and s.active`

const USER_SQL = `select ${USER_COLUMNS} from users u where u.id = :memberId`

/** The status after a change, given the rows of the member's node: the log and users are on the coordinator. */
export async function splitStatus(
  tx: Tx,
  memberId: number,
  row: Pick<StatusRow, 'pendingRewards' | 'pendingUsdtRewards' | 'lastClaimTime' | 'session'>,
): Promise<MiningStatus> {
  const [user] = await Promise.all([
    prepared(tx, 'status-user', USER_SQL, { memberId }),
    logChange(tx, memberId),
  ])
  return statusOf({ ...row, ...user.rows[0] })
}
