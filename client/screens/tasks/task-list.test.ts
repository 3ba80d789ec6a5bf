import { describe, expect, it } from 'vitest'
import { NOW } from '#client/testing/fixtures.ts'
import { TASKS } from '#client/testing/tasks.ts'
import { DAY_MS } from '#rules/constants'
import { completionOf, type MemberTask, memberTask, summaryOf } from './task-list.ts'

/** The first two tasks, of 2 and 1 TESP. */
const tasks = (completed: number): MemberTask[] =>
  TASKS.map((task, at) => ({
    ...task,
    claims: at < completed ? 1 : 0,
    completed: at < completed,
    completedAt: undefined,
  }))

describe('task summary', () => {
  it.each([
    [0, 0, '0.00000000'],
    [1, 50, '2.00000000'],
    [2, 100, '3.00000000'],
  ])('the summary of %i completed tasks shows %i percent', (done, percent, earned) => {
    expect(summaryOf(tasks(done))).toEqual({ done, all: 2, percent, earned })
  })

  it('the summary of no tasks is zero', () => {
    expect(summaryOf([])).toEqual({ done: 0, all: 0, percent: 0, earned: '0.00000000' })
  })
})

describe('task completion', () => {
  const today = new Date(NOW).toISOString()
  const yesterday = new Date(NOW - DAY_MS).toISOString()

  it('the completion of a one-time task never expires', () => {
    expect(completionOf({ id: 'a' }, { a: yesterday }, NOW)).toBe(yesterday)
    expect(completionOf({ id: 'b' }, { a: yesterday }, NOW)).toBeUndefined()
  })

  it('a completion of a daily task counts for its UTC day', () => {
    const daily = { id: 'a', dailyLimit: 1 }
    expect(completionOf(daily, { a: today }, NOW)).toBe(today)
    expect(completionOf(daily, { a: yesterday }, NOW)).toBeUndefined()
  })

  it('a completion without a valid time does not count', () => {
    expect(completionOf({ id: 'a' }, { a: 'once' }, NOW)).toBeUndefined()
  })

  it('a task that pays three times a day is completed by its third confirmed claim of the day', () => {
    const task = { ...(TASKS[0] as (typeof TASKS)[number]), dailyLimit: 3 }
    const paid = (times: string[]) =>
      times.map((completedAt) => ({
        taskId: task.id,
        completedAt,
        rewardAmount: '2',
        rewardType: 'TESP',
      }))
    const claimsOf = (...times: string[]) => {
      const { claims, completed } = memberTask(task, paid(times), { [task.id]: today }, NOW)
      return { claims, completed }
    }
    expect(claimsOf()).toEqual({ claims: 0, completed: false })
    expect(claimsOf(yesterday, today, today)).toEqual({ claims: 2, completed: false })
    expect(claimsOf(today, today, today)).toEqual({ claims: 3, completed: true })
  })
})
