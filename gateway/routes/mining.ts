import { readNetwork } from '#db/ledger/network-counters'
import { type Membership, MembershipNeeded } from '#db/members/telegram'
import {
  type Claimable,
  claimRewards,
  lockClaim,
  lockStarter,
  startMining,
  stopMining,
  type ToStart,
} from '#db/mining/mining'
import { lockActiveSession, type Running } from '#db/mining/sessions'
import { completeTask, readCompletedTasks, readTasks } from '#db/tasks'
import { command, memberOf, type RouteHandler, type Routes, signedIn } from '#gateway/http/route'
import { polled } from '#gateway/not-modified/etag'
import { membershipOf } from './telegram.ts'

/** The mining status and the three mining commands. */

const status = polled('/api/mining/status')

const start = command<'POST /api/mining/start', ToStart>(
  ['mining', 'inbox'],
  ({ tx, memberId, locked }) => startMining(tx, memberId, locked),
  {
    lock: lockStarter,
    together: ({ miningBatches }, request) => miningBatches.load({ kind: 'start', ...request }),
  },
)

const stop = command<'POST /api/mining/stop', Running | undefined>(
  ['mining', 'wallet', 'inbox'],
  ({ tx, memberId, locked }) => stopMining(tx, memberId, locked),
  {
    lock: lockActiveSession,
    together: ({ miningBatches }, request) => miningBatches.load({ kind: 'stop', ...request }),
  },
)

const claim = command<'POST /api/mining/claim', Claimable>(
  ['mining', 'wallet'],
  ({ tx, memberId, locked }) => claimRewards(tx, memberId, locked),
  { lock: lockClaim },
)

/** The social tasks. */

const completed = signedIn<'GET /api/tasks/completed'>(async ({ services, memberId }) => ({
  completedTasks: await readCompletedTasks(services.db, memberId),
}))

const tasks = signedIn<'GET /api/tasks'>(({ services, memberId }) =>
  readTasks(services.db, memberId, services.config.taskLinks),
)

const completeOnce = (membership?: Membership) =>
  command<'POST /api/tasks/complete'>(
    ['wallet'],
    ({ tx, memberId, body: { taskId, code }, alsoChanged }) =>
      completeTask(tx, memberId, taskId, {
        code,
        membership,
        onFull: () => alsoChanged({ kind: 'tasks' }),
      }),
  )

const completeFirst = completeOnce()

/**
 * Counts each code word before it is compared, so that parallel guesses are limited too. Where Telegram
 * has to be asked, the claim is begun twice: the first time finds out whom to ask about.
 */
const complete: RouteHandler<'POST /api/tasks/complete'> = async (call) => {
  const { services, ctx, body } = call
  if (body.code !== undefined) {
    await services.limits.use('task-code-member', String(await memberOf(services, ctx)))
  }
  try {
    return await completeFirst(call)
  } catch (error) {
    if (!(error instanceof MembershipNeeded)) throw error
    return await completeOnce(await membershipOf(services, error))(call)
  }
}

/** The figures of the Network screen. */
const network = signedIn<'GET /api/network'>(({ services }) => readNetwork(services.db))

export const miningRoutes = {
  'GET /api/mining/status': {
    tag: 'mining',
    summary: 'Reads the mining status.',
    access: 'member',
    etag: true,
    handle: status,
  },
  'POST /api/mining/start': {
    tag: 'mining',
    summary: 'Starts a mining session of 24 hours.',
    access: 'member',
    idempotent: true,
    errors: ['mining_active', 'session_quarantined', 'too_many_requests'],
    handle: start,
  },
  'POST /api/mining/stop': {
    tag: 'mining',
    summary: 'Stops the running session; what it earned since the last credit becomes pending.',
    access: 'member',
    idempotent: true,
    errors: ['mining_inactive', 'session_quarantined', 'too_many_requests'],
    handle: stop,
  },
  'POST /api/mining/claim': {
    tag: 'mining',
    summary: 'Moves the pending rewards into the wallet.',
    access: 'member',
    idempotent: true,
    errors: ['nothing_to_claim', 'claim_cooldown', 'too_many_requests'],
    handle: claim,
  },
  'GET /api/network': {
    tag: 'network',
    summary: 'Reads the figures of the network.',
    access: 'member',
    handle: network,
  },
  'GET /api/tasks': {
    tag: 'tasks',
    summary: 'Lists the tasks that can be claimed, and those that the member completed.',
    access: 'member',
    handle: tasks,
  },
  'GET /api/tasks/completed': {
    tag: 'tasks',
    summary: 'Lists the completed tasks.',
    access: 'member',
    handle: completed,
  },
  'POST /api/tasks/complete': {
    tag: 'tasks',
    summary: 'Completes a task and pays its reward.',
    access: 'member',
    idempotent: true,
    errors: [
      'task_unknown',
      'task_claimed',
      'task_ended',
      'task_full',
      'task_code_wrong',
      'telegram_not_linked',
      'telegram_not_member',
      'telegram_account_used',
      'telegram_unavailable',
      'too_many_requests',
    ],
    handle: complete,
  },
} satisfies Partial<Routes>
