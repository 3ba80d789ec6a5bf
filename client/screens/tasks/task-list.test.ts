import { describe, expect, it } from 'vitest'
import { NOW } from '#client/testing/fixtures.ts'
import { TASKS } from '#client/testing/tasks.ts'
import { DAY_MS } from '#rules/constants'
import type { Task } from '#rules/snapshots'
import { type MemberTask, memberTask, summaryOf } from './task-list.ts'

/** The first two tasks, of 2 and 1 TESP. */
const tasks = (completed: number): MemberTask[] =>
  TASKS.map((task, at) => ({
    ...task,
    claims: at < completed ? 1 : 0,
    completed: at < completed,
    completedAt: undefined,
    earned: at < completed ? task.reward : '0',
  }))

describe('task summary', () => {
  it.each([
    [0, 0, '0.00000000'],
    [1, 50, '2.00000000'],
    [2, 100, '3.00000000'],
  ])('the summary of %i completed tasks shows %i percent', (done, percent, earned) => {
    expect(summaryOf(tasks(done))).toEqual({ done, all: 2, percent, earned })
  })

  it('a task that nobody can complete any more counts only if the member did', () => {
    const closed = tasks(1).map((task) => ({ ...task, state: 'full' as const }))
    expect(summaryOf(closed)).toMatchObject({ done: 1, all: 1, percent: 100 })
  })

  it('the summary of no tasks is zero', () => {
    expect(summaryOf([])).toEqual({ done: 0, all: 0, percent: 0, earned: '0.00000000' })
  })
})

const today = new Date(NOW).toISOString()
const yesterday = new Date(NOW - DAY_MS).toISOString()

describe('TESP earned', () => {
  const [task] = TASKS as [Task]
  const claim = (rewardAmount: string, completedAt = today) => {
    return { taskId: task.id, completedAt, rewardAmount, rewardType: 'TESP' }
  }

  it('is what the counted claims paid, whatever the task pays now', () => {
    const daily = { ...task, dailyLimit: 3 }
    const paid = [claim('7.5', yesterday), claim('0.00000001'), claim('0.2')]
    expect(memberTask(daily, paid, {}, NOW).earned).toBe('0.20000001')
    expect(summaryOf([memberTask(task, [claim('0.5')], {}, NOW)]).earned).toBe('0.50000000')
  })

  it('of a claim that only the device remembers is the reward of the task', () => {
    expect(memberTask(task, [], { [task.id]: today }, NOW).earned).toBe('2.00000000')
    expect(memberTask(task, [], {}, NOW).earned).toBe('0.00000000')
  })
})

describe('task completion', () => {
  const [once, other] = TASKS as [Task, Task]
  const completedAt = (task: Task, at: string) =>
    memberTask(task, [], { [once.id]: at }, NOW).completedAt

  it('the completion of a one-time task never expires', () => {
    expect(completedAt(once, yesterday)).toBe(yesterday)
    expect(completedAt(other, yesterday)).toBeUndefined()
  })

  it('a completion of a daily task counts for its UTC day', () => {
    const daily = { ...once, dailyLimit: 1 }
    expect(completedAt(daily, today)).toBe(today)
    expect(completedAt(daily, yesterday)).toBeUndefined()
  })

  it('a completion without a valid time does not count', () => {
    expect(completedAt(once, 'once')).toBeUndefined()
  })

  it('a task that pays three times a day is completed by its third confirmed claim of the day', () => {
    const task = { ...once, dailyLimit: 3 }
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
