import { completeTask, readCompletedTasks } from '#db/tasks'
import { command, signedIn } from '#gateway/http/route'

/** The social tasks. */

export const completed = signedIn<'GET /api/tasks/completed'>(async ({ services, memberId }) => ({
  completedTasks: await readCompletedTasks(services.db, memberId),
}))

export const complete = command<'POST /api/tasks/complete'>(['wallet'], ({ tx, memberId, body }) =>
  completeTask(tx, memberId, body.taskId),
)
