import type { Catalogues } from '#client/language/catalogues.ts'
import { i18n } from '#client/language/language.ts'
import type { TaskDefinition } from '#rules/money/tasks'

type Named = keyof Catalogues['tasks']['task']

const isNamed = (id: string): id is Named => i18n.exists(`tasks:task.${id}.title`)

/** The texts of a task in the language on the screen; a task without any keeps those of its definition. */
export function taskTexts(task: TaskDefinition): { title: string; description: string } {
  const { id, title, description } = task
  if (!isNamed(id)) return { title, description }
  return {
    title: i18n.t(`tasks:task.${id}.title`),
    description: i18n.t(`tasks:task.${id}.description`),
  }
}
