import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { boardTeam, weekStart } from '#db/team/mined-week'
import { readWeekBoards } from '#db/team/read-week-boards'
import { WeekBoardSets } from '#db/team/week-board'
import { bucketSql } from '#rules/buckets'
import { redisForRequests } from '#runtime/redis'
import { timeReads } from './measure.ts'
import type { BenchOptions, BenchRow, PartResult } from './result.ts'
import { benchServers } from './servers.ts'

const MEMBERS = 1_000_000
/** Direct members of the first member. */
const TEAM = 1_000
const READS = 500

/** Members who are all listed, each with one ledger row of this week; the first one has a team. */
async function populate(db: Db, members: number): Promise<void> {
  await db.raw(
    `insert into users (username, "usernameKey", email, "emailKey", password, "weekBoard")
     select m, m, m || '@x', m || '@x', '-', 'name' from generate_series(1, ?) n, lateral (select 'm' || n as m) k`,
    [members],
  )
  await db.raw(`update users set "referredBy" = 1 where id between 2 and ${TEAM + 1}`)
  await db.raw(
    `insert into wallet_activity (bucket, id, "userId", "walletId", type, amount, "tokenType",
       description, "createdAt", "balanceAfter")
     select ${bucketSql('id')}, 'claim:' || id || ':1:TESP', id, id, 'mining_reward',
       1 + mod(id::bigint * 7919, 100000) / 1000.0, 'TESP', '', product_now(), 1000 from users`,
  )
  await db.raw('vacuum analyze users')
  await db.raw('vacuum analyze wallet_activity')
}

/** How long a rank among all members takes, and the boards of a member; and the run that fills them. */
export async function measureBoard({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  const members = quick ? 20_000 : MEMBERS
  const servers = await benchServers()
  const redis = redisForRequests(servers.redisUrl)
  const db = servers.pool(4)
  const rebuilds: number[] = []
  const measured: Record<string, number[]> = {}
  try {
    await populate(db, members)
    log(`${members} members are written`)
    const week = weekStart(await productNow(db))
    const anyone = (nth: number) => 1 + ((nth * 104_729) % members)
    for (let round = 0; round < rounds; round++) {
      const sets = new WeekBoardSets(redis, `bench${round}`)
      const from = performance.now()
      await sets.rebuild(db)
      rebuilds.push((performance.now() - from) / 1_000)
      const { others } = await boardTeam(db, 1)
      const reads = {
        'rank among all members': (nth: number) => sets.placeOf(week, anyone(nth)),
        [`amounts of a team of ${others.length}`]: () => sets.unitsOf(week, others),
        'both boards, a member without a team': (nth: number) =>
          readWeekBoards(db, sets, TEAM + 1 + (anyone(nth) % (members - TEAM))),
        [`both boards, a team of ${others.length}`]: () => readWeekBoards(db, sets, 1),
      }
      for (const [label, read] of Object.entries(reads)) {
        const { p50, p99 } = await timeReads(READS, read)
        measured[`${label}, p50`] = [...(measured[`${label}, p50`] ?? []), p50]
        measured[`${label}, p99`] = [...(measured[`${label}, p99`] ?? []), p99]
      }
      log(`round ${round + 1}`)
    }
  } finally {
    redis.disconnect()
    await servers.stop()
  }
  const rows = Object.entries(measured).map(
    ([label, values]): BenchRow => ({
      label,
      values,
      ...(label.startsWith('rank') && { goal: { atMost: 5 } }),
    }),
  )
  return {
    title: 'Boards of the week',
    tables: [
      { title: `Reads, ${members} members`, unit: 'ms', higherIsBetter: false, rows },
      {
        title: 'A run that fills the boards',
        unit: 's',
        higherIsBetter: false,
        rows: [{ label: `${members} members, one ledger row each`, values: rebuilds }],
      },
    ],
    notes: [
      `${READS} reads one after the other, each for another member, from one process on the machine of the servers.`,
      'All members are listed. The boards hold the first five, the member and two neighbours on each side, with names from Postgres.',
    ],
  }
}
