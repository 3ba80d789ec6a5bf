import { readNetwork } from '#db/ledger/network-counters'
import { type Membership, MembershipNeeded } from '#db/members/telegram'
import { claimRewards, lockClaim, lockStarter, startMining, stopMining } from '#db/mining/mining'
import { lockActiveSession } from '#db/mining/sessions'
import { completeTask, readCompletedTasks, readTasks } from '#db/tasks'
import { command, memberOf, routesOf, signedIn } from '#gateway/http/route'
import { polled } from '#gateway/not-modified/etag'
import { membershipOf } from './telegram.ts'

/** The mining status and the three mining commands, the tasks and the figures of the network. */

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

export const miningRoutes = {
  ...routesOf('mining', {
    'GET /api/mining/status': {
      summary: 'Reads the mining status.',
      etag: true,
      handle: polled('/api/mining/status'),
    },
    'POST /api/mining/start': {
      summary: 'Starts a mining session of 24 hours.',
      idempotent: true,
      errors: ['mining_active', 'session_quarantined'],
      handle: command(
        ['mining', 'inbox'],
        ({ tx, memberId, locked, alsoChanged }) =>
          startMining(tx, memberId, locked, () =>
            alsoChanged({ kind: 'members', memberIds: [memberId], topics: ['wallet'] }),
          ),
        {
          lock: lockStarter,
          together: ({ miningBatches }, request) =>
            miningBatches.load({ kind: 'start', ...request }),
        },
      ),
    },
    'POST /api/mining/stop': {
      summary: 'Stops the running session; what it earned since the last credit becomes pending.',
      idempotent: true,
      errors: ['mining_inactive', 'session_quarantined'],
      handle: command(
        ['mining', 'wallet', 'inbox'],
        ({ tx, memberId, locked }) => stopMining(tx, memberId, locked),
        {
          lock: lockActiveSession,
          together: ({ miningBatches }, request) =>
            miningBatches.load({ kind: 'stop', ...request }),
        },
      ),
    },
    'POST /api/mining/claim': {
      summary: 'Moves the pending rewards into the wallet.',
      idempotent: true,
      errors: ['nothing_to_claim', 'claim_cooldown'],
      handle: command(
        ['mining', 'wallet'],
        ({ tx, memberId, locked }) => claimRewards(tx, memberId, locked),
        { lock: lockClaim },
      ),
    },
  }),
  ...routesOf('network', {
    'GET /api/network': {
      summary: 'Reads the figures of the network.',
      handle: signedIn(({ services }) => readNetwork(services.db)),
    },
  }),
  ...routesOf('tasks', {
    'GET /api/tasks': {
      summary: 'Lists the tasks that can be claimed, and those that the member completed.',
      handle: signedIn(({ services, memberId }) =>
        readTasks(services.db, memberId, services.config.taskLinks),
      ),
    },
    'GET /api/tasks/completed': {
      summary: 'Lists the completed tasks.',
      handle: signedIn(async ({ services, memberId }) => ({
        completedTasks: await readCompletedTasks(services.db, memberId),
      })),
    },
    /**
     * Counts each code word before it is compared, so that parallel guesses are limited too. Where Telegram
     * has to be asked, the claim is begun twice: the first time finds out whom to ask about.
     */
    'POST /api/tasks/complete': {
      summary: 'Completes a task and pays its reward.',
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
      ],
      handle: async (call) => {
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
      },
    },
  }),
}
