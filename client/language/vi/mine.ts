import type { mine as english } from '#client/language/en/mine.ts'
import type { Translation } from '#client/language/translation.ts'

export const mine: Translation<typeof english> = {}
