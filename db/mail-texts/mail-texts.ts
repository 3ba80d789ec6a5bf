import type { Language } from '#rules/members/languages'
import { en, type MailTexts } from './en.ts'
import { vi } from './vi.ts'

const TEXTS: Record<Language, MailTexts> = { en, vi }

/** The mails in a language; English for a member without one. */
export const mailTexts = (language: Language | null): MailTexts => TEXTS[language ?? 'en']
