import type { Queue } from 'bullmq'
import { strayLedgerRows } from '#db/ledger/partitions'
import { mailFigures } from '#db/mails'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { countQuarantined } from '#db/mining/quarantine'
import { listActions, refuse } from '#operators/actions/action-log'
import { workLag } from '#operators/actions/background-work'
import { idOfMember } from '#operators/actions/members'
import { readOverview } from '#operators/actions/overview'
import { evictionPolicy } from '#runtime/redis/eviction'
import type { RedisClient } from '#runtime/redis/redis-client'
import { countJobs } from '#workers/monitoring/product-figures'
import { type JobName, jobQueue } from '#workers/queue'
import { type ListCommand, limitOf, type OpsCall, type OpsCommand, type Row } from './command.ts'
import { placeOf } from './print.ts'
import { withRedis } from './redis.ts'

/** Every queue; the type checks that none is missing. */
const JOBS: Record<JobName, true> = {
  'sweep-credits': true,
  'check-credits': true,
  'end-sessions': true,
  'queue-mails': true,
  'send-mail': true,
  'send-reminders': true,
  'rebuild-week-board': true,
  'read-telegram': true,
  'roll-up-ledger': true,
  'seal-ledger': true,
  maintenance: true,
}

export const openQueues = (redis: RedisClient, prefix: string): Promise<Queue[]> =>
  Promise.all((Object.keys(JOBS) as JobName[]).map((name) => jobQueue(name, redis, prefix)))

async function ofQueues(
  call: OpsCall,
  read: (name: string, queue: Queue) => Promise<Row[]>,
): Promise<Row[]> {
  const { config, queues } = call
  const readAll = async (all: Queue[]) =>
    (await Promise.all(all.map((queue) => read(queue.name, queue)))).flat()
  if (queues) return readAll(await queues())
  const rows = await withRedis(call, async (redis) => {
    const all = await openQueues(redis, config.redisPrefix)
    return readAll(all).finally(() => Promise.all(all.map((queue) => queue.close())))
  })
  if (!rows) refuse('Set REDIS_URL to see the queues')
  return rows
}

export const log: ListCommand = {
  options: ['[--member <member>]', '[--limit <n>]'],
  does: 'the newest actions of operators, 50 without --limit: who, when, what and why',
  list: async (call) => {
    const { member } = call.options
    const filter = member === undefined ? {} : { memberId: await idOfMember(call.db, member) }
    return listActions(call.db, limitOf(call, 50), filter)
  },
}

export const statusCommands = {
  status: {
    does: 'which database, credit lag, quarantined sessions, stray ledger rows, mails, eviction of Redis',
    show: async (call) => {
      const { db, config } = call
      const mails = await mailFigures(db)
      const redisEviction = await withRedis(call, (redis) =>
        evictionPolicy(redis).catch(() => 'no answer'),
      )
      return {
        database: placeOf(config.databaseUrl),
        creditLagSeconds: Number((await creditLagSeconds(db)).toFixed(1)),
        quarantinedSessions: await countQuarantined(db),
        strayLedgerRows: await strayLedgerRows(db),
        mailsWaiting: mails.waiting,
        mailsFailed: mails.failed,
        redisEviction: redisEviction ?? null,
      }
    },
  },
  overview: {
    does: 'credit lag, sessions, credits, sign-ups, who came back, invitations, mails',
    show: async ({ db }) => (await readOverview(db)).now,
  },
  'overview days': {
    does: 'the figures of the last 30 days, a row a UTC day',
    list: async ({ db }) => (await readOverview(db)).days,
  },
  lag: {
    does: 'how late background work is; up to 10 s are usual for sweeps while no credit is due',
    list: async ({ db }) =>
      (await workLag(db)).map(({ work, seconds }) => ({
        work,
        seconds: seconds === null ? null : Number(seconds.toFixed(1)),
      })),
  },
  queues: {
    does: 'jobs of each queue by state',
    list: (call) =>
      ofQueues(call, async (name, queue) => [{ queue: name, ...(await countJobs(queue)) }]),
  },
  'queues failed': {
    options: ['[--limit <n>]'],
    does: 'the newest failed jobs of each queue, 10 without --limit',
    list: (call) =>
      ofQueues(call, async (name, queue) =>
        (await queue.getFailed(0, limitOf(call, 10) - 1)).map((job) => ({
          queue: name,
          job: job.id,
          failedAt: job.finishedOn === undefined ? null : new Date(job.finishedOn),
          reason: job.failedReason,
          data: job.data,
        })),
      ),
  },
} satisfies Record<string, OpsCommand>
