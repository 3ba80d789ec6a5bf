import { readNetwork } from '#db/ledger/network-counters'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { completeTask, readCompletedTasks } from '#db/tasks'
import { readMinedDays } from '#db/wallet/ledger-sums'
import { command, type Routes, signedIn } from '#gateway/http/route'
import { miningEtag, polled } from '#gateway/not-modified/etag'

/** The mining status, the last days and the three mining commands. */

const status = polled('/api/mining/status', ({ mining }) => mining, miningEtag)

const days = signedIn<'GET /api/mining/days'>(({ services, memberId }) =>
  readMinedDays(services.db, memberId),
)

const start = command<'POST /api/mining/start'>(['mining'], ({ tx, memberId }) =>
  startMining(tx, memberId),
)

const stop = command<'POST /api/mining/stop'>(['mining', 'wallet'], ({ tx, memberId }) =>
  stopMining(tx, memberId),
)

const claim = command<'POST /api/mining/claim'>(['mining', 'wallet'], ({ tx, memberId }) =>
  claimRewards(tx, memberId),
)

/** The social tasks. */

const completed = signedIn<'GET /api/tasks/completed'>(async ({ services, memberId }) => ({
  completedTasks: await readCompletedTasks(services.db, memberId),
}))

const complete = command<'POST /api/tasks/complete'>(['wallet'], ({ tx, memberId, body }) =>
  completeTask(tx, memberId, body.taskId),
)

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
  'GET /api/mining/days': {
    tag: 'mining',
    summary: 'Reads what mining paid on each of the last seven UTC days, oldest first.',
    access: 'member',
    handle: days,
  },
  'GET /api/network': {
    tag: 'network',
    summary: 'Reads the figures of the network.',
    access: 'member',
    handle: network,
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
    errors: ['task_unknown', 'task_claimed', 'too_many_requests'],
    handle: complete,
  },
} satisfies Partial<Routes>
