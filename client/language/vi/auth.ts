import type { auth as english } from '#client/language/en/auth.ts'
import type { Translation } from '#client/language/translation.ts'

export const auth: Translation<typeof english> = {}
