import { afterAll, beforeAll, expect, it } from 'vitest'
import { memberKey } from '#rules/buckets'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { plansOf } from '#scripts/testing/db/statements/plans'
import { readCompletedTasks } from './tasks.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

it('completed tasks of other days are not read', async () => {
  const db = fresh.db
  const { userId, bucket } = memberKey(await insertMember(db))
  await db.raw(
    `insert into completed_tasks (bucket, "userId", "taskId", "rewardAmount", day)
     select :bucket, :userId, 'daily' || n % 3, 1, (current_date - 1 - n / 3)::text
     from generate_series(0, 1094) n`,
    { bucket, userId },
  )
  await db.raw('analyze completed_tasks')
  const [plan = ''] = await plansOf(fresh, () => readCompletedTasks(db, userId))
  await db('completed_tasks').where({ userId }).delete()
  expect(plan).toMatch(/Index Cond: .*day >= /)
})
