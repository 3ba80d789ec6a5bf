import type { tasks as english } from '#client/language/en/tasks.ts'
import type { Translation } from '#client/language/translation.ts'

export const tasks: Translation<typeof english> = {}
