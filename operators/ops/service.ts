import type { Queue } from 'bullmq'
import { strayLedgerRows } from '#db/ledger/partitions'
import { mailFigures } from '#db/mails'
import { allowAddress, REFUSAL_DAYS, refusedAddresses } from '#db/members/refused-addresses'
import { creditLagSeconds } from '#db/mining/credit-lag'
import { countQuarantined } from '#db/mining/quarantine'
import { listActions, notFound } from '#operators/actions/action-log'
import {
  failedBySubject,
  failedMails,
  retryMails,
  waitingMails,
  workLag,
} from '#operators/actions/background-work'
import { idOfMember } from '#operators/actions/members'
import type { JobName } from '#queue'
import { emailKey } from '#rules/members/identity'
import { RuleError } from '#rules/rule-error'
import { redisForRequests } from '#runtime/redis'
import { evictionPolicy } from '#runtime/redis/eviction'
import type { RedisClient } from '#runtime/redis/redis-client'
import { jobQueue } from '#workers/queue'
import {
  type ActCommand,
  argument,
  type ListCommand,
  limitOf,
  type OpsCall,
  type Row,
  type ShowCommand,
  wholeNumber,
} from './command.ts'
import { placeOf } from './print.ts'
import { queueMails, withRedis } from './redis.ts'

export const status: ShowCommand = {
  does: 'which database, credit lag, quarantined sessions, stray ledger rows, mails, eviction of Redis',
  show: async (call) => {
    const { db, config } = call
    const mails = await mailFigures(db)
    let redisEviction: string | null = null
    await withRedis(call, async (redis) => {
      redisEviction = await evictionPolicy(redis).catch(() => 'no answer')
    })
    return {
      database: placeOf(config.databaseUrl),
      creditLagSeconds: Number((await creditLagSeconds(db)).toFixed(1)),
      quarantinedSessions: await countQuarantined(db),
      strayLedgerRows: await strayLedgerRows(db),
      mailsWaiting: mails.waiting,
      mailsFailed: mails.failed,
      redisEviction,
    }
  },
}

export const lag: ListCommand = {
  does: 'how late background work is; up to 10 s are usual for sweeps while no credit is due',
  list: async ({ db }) =>
    (await workLag(db)).map(({ work, seconds }) => ({
      work,
      seconds: seconds === null ? null : Number(seconds.toFixed(1)),
    })),
}

/** Every queue; the type checks that none is missing. */
const JOBS: Record<JobName, true> = {
  'sweep-credits': true,
  'check-credits': true,
  'end-sessions': true,
  'send-mail': true,
  'send-reminders': true,
  'rebuild-week-board': true,
  'read-telegram': true,
  'roll-up-ledger': true,
  'seal-ledger': true,
  maintenance: true,
}

/** Every queue on one connection. */
export const openQueues = (redis: RedisClient, prefix: string): Promise<Queue[]> =>
  Promise.all((Object.keys(JOBS) as JobName[]).map((name) => jobQueue(name, redis, prefix)))

/** Reads rows of every queue. */
async function ofQueues(
  { config, redisUrl, queues }: OpsCall,
  read: (name: string, queue: Queue) => Promise<Row[]>,
): Promise<Row[]> {
  const readAll = async (all: Queue[]) =>
    (await Promise.all(all.map((queue) => read(queue.name, queue)))).flat()
  if (queues) return readAll(await queues())
  if (!redisUrl) throw new RuleError('bad_input', 'Set REDIS_URL to see the queues')
  const redis = redisForRequests(redisUrl)
  try {
    const all = await openQueues(redis, config.redisPrefix)
    return await readAll(all).finally(() => Promise.all(all.map((queue) => queue.close())))
  } finally {
    redis.disconnect()
  }
}

export const queues: ListCommand = {
  does: 'jobs of each queue by state',
  list: (call) =>
    ofQueues(call, async (name, queue) => {
      const { waiting, active, delayed, failed } = await queue.getJobCounts()
      return [{ queue: name, waiting, active, delayed, failed }]
    }),
}

export const queuesFailed: ListCommand = {
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
}

const SHOWN_MAILS = 50
const ALL = '@all'

export const mailWaiting: ListCommand = {
  options: ['[--limit <n>]'],
  does: 'mails that are still tried, with their last error',
  list: (call) => waitingMails(call.db, limitOf(call, SHOWN_MAILS)),
}

export const mailFailed: ListCommand = {
  options: ['[--limit <n>]'],
  does: 'mails that were given up, with their last error',
  list: (call) => failedMails(call.db, limitOf(call, SHOWN_MAILS)),
}

export const mailRefused: ListCommand = {
  options: ['[--limit <n>]'],
  does: `addresses whose mail server refused them; after ${REFUSAL_DAYS} days they are tried again`,
  list: (call) => refusedAddresses(call.db, limitOf(call, SHOWN_MAILS)),
}

export const mailAllow: ActCommand = {
  takes: '<address>',
  does: 'lets mails to a refused address be tried again at once',
  act: async (call) => {
    const address = argument(call)
    const key = emailKey(address)
    const member = await call.db('users').where({ emailKey: key }).first('id')
    return {
      asks: `Send mails to ${address} again?`,
      run: async (tx) => {
        if (!(await allowAddress(tx, key))) throw notFound('refused address')
        const says = `mails to ${address} are tried again; failed ones with mail retry`
        return member ? { says, memberId: member.id } : { says }
      },
    }
  },
}

function chosenMails(args: string[]): number[] | 'all' {
  if (args.length === 1 && args[0] === ALL) return 'all'
  return args.map((arg) => wholeNumber(arg, 'A mail'))
}

export const mailRetry: ActCommand = {
  takes: `<id|${ALL}...>`,
  does: 'tries failed mails again; codes in mails older than 10 minutes do not work any more',
  act: async (call) => {
    const chosen = chosenMails(call.args)
    const subjects = await failedBySubject(call.db, chosen)
    if (subjects.length === 0) throw new RuleError('not_found', 'There is no such failed mail')
    const list = subjects.map(({ subject, mails }) => `\n  ${mails} × ${subject}`)
    return {
      asks: `Send these again?${list.join('')}`,
      run: async (tx) => {
        const mails = await retryMails(tx, chosen)
        return {
          says: `${mails.length} mails are tried again`,
          details: { mails },
          after: () => queueMails(call, mails),
        }
      },
    }
  },
}

export const log: ListCommand = {
  options: ['[--member <member>]', '[--limit <n>]'],
  does: 'the newest actions of operators, 50 without --limit: who, when, what and why',
  list: async (call) => {
    const { member } = call.options
    const memberId = member === undefined ? undefined : await idOfMember(call.db, member)
    return listActions(call.db, limitOf(call, 50), memberId === undefined ? {} : { memberId })
  },
}
