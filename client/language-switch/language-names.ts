import type { Language } from '#rules/languages'

/** Each language in its own words, so that members find theirs on a screen they cannot read. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', vi: 'Tiếng Việt' }
