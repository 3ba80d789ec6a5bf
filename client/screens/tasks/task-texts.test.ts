import { afterEach, expect, it } from 'vitest'
import { changeLanguage } from '#client/language/load-texts.ts'
import { TASKS } from '#rules/money/tasks'
import { taskTexts } from './task-texts.ts'

afterEach(() => changeLanguage('en'))

it.each(TASKS)(
  'task $id has the texts of its definition in English, and others in Vietnamese',
  async (task) => {
    const { title, description } = task
    expect(taskTexts(task)).toEqual({ title, description })
    await changeLanguage('vi')
    expect(taskTexts(task).title).not.toBe(title)
    expect(taskTexts(task).description).not.toBe(description)
  },
)

it('a task without texts in the catalogue shows those of its definition', () => {
  const task = { ...TASKS[0], id: 'new_task', title: 'New', description: 'A new task' }
  expect(taskTexts(task as (typeof TASKS)[number])).toEqual({
    title: 'New',
    description: 'A new task',
  })
})
