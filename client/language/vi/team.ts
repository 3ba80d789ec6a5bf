import type { team as english } from '#client/language/en/team.ts'
import type { Translation } from '#client/language/translation.ts'

export const team: Translation<typeof english> = {}
