import { engineOf } from '#db/engine/engine'
import { prepared } from '#db/postgres/statements/prepared'
import type { Db } from '#db/postgres/statements/transaction'

/** In `member_changes`: a change that concerns all members. */
export const ALL_MEMBERS = 0
/** In `member_changes`: the announcements have changed. */
export const ANNOUNCEMENTS = -1

/** Changes above which they count as a change of all members: bounds what the gateways read. */
export const MOST_CHANGES = 10_000

/** Logs a change of members' status in the transaction that makes it (decision 17). Plain PostgreSQL has triggers. */
export async function logPollChange(db: Db, ...memberIds: number[]): Promise<void> {
  if (memberIds.length > 0) await (await engineOf(db)).logPollChange(db, memberIds)
}

type MemberChanges = {
  /** Members with a change since the position, or `ALL_MEMBERS`. */
  memberIds: number[]
  /** Snapshot of this read, from which the next one continues. */
  position: string
  /** The run of the server that answered; a position is valid within it only. */
  server: string
  /** Real time of the database at the read, ms. */
  databaseNow: number
}

/**
 * Transactions do not commit in the order of their ids, so the position is the whole snapshot: a row is new if the
 * last snapshot did not see its transaction. Without a position no row is selected.
 */
const CHANGES_SQL = `
  select pg_current_snapshot()::text as position,
    extract(epoch from pg_postmaster_start_time())::text as server,
    extract(epoch from clock_timestamp())::double precision * 1000 as "databaseNow",
    array(select distinct "userId" from member_changes
      where xid >= pg_snapshot_xmin(:position::pg_snapshot)
        and not pg_visible_in_snapshot(xid, :position::pg_snapshot)
      limit ${MOST_CHANGES + 1}) as "memberIds"`

/** Reads the members whose changes were committed since `position`; null takes a first position. */
export async function readMemberChanges(db: Db, position: string | null): Promise<MemberChanges> {
  const { rows } = await prepared(db, 'member-changes', CHANGES_SQL, { position })
  const read: MemberChanges = rows[0]
  return read.memberIds.length > MOST_CHANGES ? { ...read, memberIds: [ALL_MEMBERS] } : read
}
