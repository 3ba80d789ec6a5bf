import { rollUpLedger } from '#db/ledger/retention/rollup-steps'
import type { Db } from '#db/postgres/statements/transaction'
import { miningDays } from '#trials/bench/data/mining-days'
import { benchServers } from '#trials/bench/harness/servers'
import type { Disk } from './needs.ts'

const DAYS = 4
const DETAIL_DAYS = 7
/** Tables with one row a member. */
const MEMBER_TABLES = ['users', 'wallets', 'mining_stats']

async function bytesOf(db: Db, ...tables: string[]): Promise<number> {
  const { rows } = await db.raw(
    'select sum(pg_total_relation_size(name::regclass))::float8 as bytes from unnest(?::text[]) name',
    [tables],
  )
  return rows[0].bytes
}

/** Bytes on disk of members who mined for some days, before and after the roll-up. */
export async function measureDisk(members: number): Promise<Disk> {
  const servers = await benchServers()
  try {
    const db = servers.pool(2)
    // The first day and the last one are not full.
    const [, day = ''] = await miningDays(db, members, DAYS)
    const dayDetail = (await bytesOf(db, day)) / members
    await rollUpLedger(db, DETAIL_DAYS)
    const count = await db('mining_sessions').count({ rows: '*' }).first()
    // A member who mines without a break starts a session a day.
    const daySessions = (await bytesOf(db, 'mining_sessions')) / Number(count?.rows)
    const hot = (await bytesOf(db, ...MEMBER_TABLES)) / members + daySessions
    return { hot, dayDetail, dayRolled: (await bytesOf(db, day)) / members, daySessions }
  } finally {
    await servers.stop()
  }
}
