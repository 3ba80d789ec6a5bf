import type { wallet as english } from '#client/language/en/wallet.ts'
import type { Translation } from '#client/language/translation.ts'

export const wallet: Translation<typeof english> = {}
