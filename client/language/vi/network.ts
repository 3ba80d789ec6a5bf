import type { network as english } from '#client/language/en/network.ts'
import type { Translation } from '#client/language/translation.ts'

export const network: Translation<typeof english> = {}
