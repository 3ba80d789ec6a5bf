import type { Db } from '#db/postgres/statements/transaction'
import { inTransaction } from '#db/postgres/statements/transaction'
import { beginSignIn } from '#operators/actions/operator-sign-ins'
import { acceptInvitation, inviteOperator } from '#operators/actions/operators'
import { startConsole } from '#operators/console/server'
import { bucketSql } from '#rules/buckets'
import { readConfig } from '#runtime/config/config'
import { developmentSecrets } from '#runtime/process/development-secrets'
import { timeReads } from './measure.ts'
import { populate } from './members.ts'
import { type BenchOptions, type PartResult, rowsOf } from './result.ts'
import { benchServers } from './servers.ts'

const MEMBERS = 1_000_000
/** Direct members of the first member, who also owns a suspicious team. */
const TEAM = 100_000
const READS = 50
/** What a page of the console may take (p99). */
const GOAL_MS = 50
const UNSWEPT = 'overview while no worker sweeps'

/** What operators read beside members: the log, mails, ledger rows, suspicious teams, figures of days. */
async function populateRecords(db: Db, members: number): Promise<void> {
  await db.raw('update users set "referredBy" = 1 where id between 2 and ?', [
    Math.min(TEAM, members / 10),
  ])
  await db.raw(
    `update users set "referralCode" = 'TESP' || lpad(id::text, 6, '0') where id % 3 = 0 or id = 1`,
  )
  await db.raw(
    `insert into operator_actions (operator, action, "userId", details, reason)
     select 'op' || n % 7, case when n % 10000 = 0 then 'members freeze' else 'kyc view' end,
       1 + n % :members::bigint, '{}', 'a reason' from generate_series(1, :lines::bigint) n`,
    { members, lines: members * 0.3 },
  )
  await db.raw(
    `insert into mails (recipient, "recipientKey", subject, "sentAt", "failedAt")
     select m, m, 'A code', case when n % 1000 > 0 then now() end, case when n % 1000 = 1 then now() end
     from generate_series(1, ?::bigint) n, lateral (select 'm' || n || '@x' as m) k`,
    [members],
  )
  await db.raw(
    `insert into wallet_activity (bucket, id, "userId", "walletId", type, amount, "tokenType",
       description, "createdAt", "balanceAfter")
     select ${bucketSql('u.id')}, 'claim:' || u.id || '.' || n || ':TESP', u.id, u.id, 'mining_reward',
       1, 'TESP', '', product_now() - n * interval '1 minute', n
     from users u, generate_series(1, 100) n where u.id <= 2000`,
  )
  await db.raw(
    `insert into suspicious_teams ("userId", score, evidence)
     select id, 7 + id % 50, '{"members": 200, "together": 200, "togetherIdle": 190}' from users where id % 500 = 1`,
  )
  await db.raw(
    `insert into daily_figures (day, "signUps", members, joined, "activeSessions", credits)
     select current_date - n, 400, 9000, 2000, 3000, 210000 from generate_series(0, 29) n`,
  )
  await db.raw('vacuum analyze')
}

/** How long each page of the console takes with a million members, as its operator's browser waits for it. */
export async function measureLists({ rounds, quick, log }: BenchOptions): Promise<PartResult> {
  const members = quick ? 20_000 : MEMBERS
  const servers = await benchServers()
  const db = servers.pool(4)
  const measured: Record<string, number[]> = {}
  try {
    await populate(db, members)
    await populateRecords(db, members)
    log(`${members} members with their records are written`)
    const config = readConfig({
      ...developmentSecrets(servers.folder),
      DATABASE_URL: servers.databaseUrl,
      REDIS_URL: servers.redisUrl,
    })
    const operator = { name: 'ada', role: 'owner' } as const
    const token = await inTransaction(db, async (tx) => {
      await inviteOperator(tx, config.dataKey, operator)
      const { id } = await tx('operators').where({ name: operator.name }).first('id')
      await acceptInvitation(tx, { id, ...operator }, '-')
      return beginSignIn(tx, id, { device: 'bench', network: '127.0.x.x' })
    })
    const { origin, close } = await startConsole({ config, redisUrl: config.redisUrl, port: 0 })
    const anyone = (nth: number) => 1 + ((nth * 104_729) % members)
    const pages: Record<string, (nth: number) => string> = {
      overview: () => '/overview',
      [UNSWEPT]: () => '/overview',
      'members: one letter': () => '/members?q=m',
      'members: the beginning of a name': (nth) => `/members?q=m${anyone(nth) % 1_000}`,
      'members: an address': (nth) => `/members?q=m${anyone(nth)}@x`,
      'members: a code': (nth) => `/members?q=TESP${String(3 * nth + 3).padStart(6, '0')}`,
      'members: nobody': (nth) => `/members?q=nobody${nth}`,
      'a member': (nth) => `/members/${anyone(nth)}`,
      'a member with a large team': () => '/members/1',
      'a ledger': (nth) => `/members/${1 + (nth % 2_000)}/ledger`,
      'suspicious teams': () => '/teams',
      'suspicious teams, next page': () => '/teams?after=40.501',
      'a large team': () => '/teams/1',
      log: () => '/log',
      'log of a member': (nth) => `/log?member=id:${anyone(nth)}`,
      'log of an operator’s rare action': (nth) =>
        `/log?operator=op${nth % 7}&action=members+freeze`,
      queues: () => '/queues',
      corrections: () => '/corrections',
      tasks: () => '/tasks',
      announcements: () => '/announcements',
    }
    // As workers do that keep up; the credit lag reads the slots behind.
    // Those that stopped when the first interval ended.
    const { rows } = await db.raw(
      `select min("startTime") + interval '20 minutes' as "firstDue" from mining_sessions`,
    )
    let keepsUp = true
    const sweep = () =>
      db('credit_sweeps').update({ sweptTo: keepsUp ? db.raw('product_now()') : rows[0].firstDue })
    const sweeps = setInterval(() => sweep().catch(log), 1_000)
    const headers = { Cookie: `console=${token}` }
    for (let round = -1; round < rounds; round++) {
      for (const [label, path] of Object.entries(pages)) {
        keepsUp = label !== UNSWEPT
        await sweep()
        const { p50, p99 } = await timeReads(round < 0 ? 3 : READS, async (nth) => {
          const answer = await fetch(`${origin}${path(nth)}`, { headers, redirect: 'manual' })
          if (answer.status !== 200) throw new Error(`${path(nth)}: ${answer.status}`)
          await answer.text()
        })
        if (round < 0) continue
        measured[`${label}, p50`] = [...(measured[`${label}, p50`] ?? []), p50]
        measured[`${label}, p99`] = [...(measured[`${label}, p99`] ?? []), p99]
      }
      log(`round ${round + 1}`)
    }
    clearInterval(sweeps)
    await close()
  } finally {
    await servers.stop()
  }
  const rows = rowsOf(measured, (label) =>
    label.endsWith('p50') ? { atMost: GOAL_MS } : undefined,
  )
  return {
    title: 'Pages of the console',
    tables: [{ title: `Pages, ${members} members`, unit: 'ms', higherIsBetter: false, rows }],
    notes: [
      `${READS} requests one after the other for each page, sign-in and HTML included, from one process on the machine of the servers.`,
      `${members * 0.3} lines of the log, ${members} mails, ${members / 500} suspicious teams, one team of ${Math.min(TEAM, members / 10)}.`,
    ],
  }
}
