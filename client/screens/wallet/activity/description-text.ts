import { i18n } from '#client/language/language.ts'
import { taskTexts } from '#client/screens/tasks/task-texts.ts'
import { TASKS } from '#rules/money/tasks'

/** The descriptions that the ledger stores in English; the value of each is the text in the brackets. */
const DESCRIPTIONS = [
  ['wallet:row.correction', /^Correction: (.+)$/s],
  ['wallet:row.task', /^Task reward: (.+)$/],
  ['wallet:row.milestone', /^Team milestone: (\d+) members$/],
] as const

/** The title on the screen of the task with that English title; a task that is gone keeps that. */
function taskTitle(english: string): string {
  const task = TASKS.find(({ title }) => title === english)
  return task ? taskTexts(task).title : english
}

/** The description of a ledger row in the language on the screen; an operator's own words stay. */
export function descriptionText(description: string): string {
  for (const [key, pattern] of DESCRIPTIONS) {
    const value = pattern.exec(description)?.[1]
    if (!value) continue
    return i18n.t(key, { value: key === 'wallet:row.task' ? taskTitle(value) : value })
  }
  return description
}
