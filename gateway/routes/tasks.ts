import { type Membership, MembershipNeeded } from '#db/members/telegram'
import { completeTask, readCompletedTasks, readTasks } from '#db/tasks'
import { command, memberOf, routesOf, signedIn } from '#gateway/http/route'
import { membershipOf } from './telegram.ts'

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

export const taskRoutes = routesOf('tasks', {
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
  /** Code words are counted before they are compared. `MembershipNeeded` names the chat to ask Telegram about. */
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
      for (let membership: Membership | undefined; ; ) {
        try {
          return await completeOnce(membership)(call)
        } catch (error) {
          // Again if the member links another account while Telegram is asked.
          if (!(error instanceof MembershipNeeded)) throw error
          membership = await membershipOf(services, error)
        }
      }
    },
  },
})
