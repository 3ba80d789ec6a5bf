import type { Language } from '#rules/members/languages'
import type { ScreenNamespace } from './catalogues.ts'
import { currentLanguage, i18n } from './language.ts'

/** What is loaded together: the texts of every screen, those of one, or the server's texts. */
type Part = 'common' | 'errors' | ScreenNamespace

type Load = () => Promise<Record<string, object>>

/** One chunk for each part and language, so that a page loads only its own texts in its own language. */
export const CHUNKS: Record<Part, Record<Language, Load>> = {
  common: {
    en: () => import('./en/common-and-layout.ts'),
    vi: () => import('./vi/common-and-layout.ts'),
  },
  // The server writes English.
  errors: { en: async () => ({ errors: {}, apiTexts: {} }), vi: () => import('./vi/errors.ts') },
  auth: { en: () => import('./en/auth.ts'), vi: () => import('./vi/auth.ts') },
  mine: { en: () => import('./en/mine.ts'), vi: () => import('./vi/mine.ts') },
  firstSteps: { en: () => import('./en/first-steps.ts'), vi: () => import('./vi/first-steps.ts') },
  wallet: { en: () => import('./en/wallet.ts'), vi: () => import('./vi/wallet.ts') },
  earnings: { en: () => import('./en/earnings.ts'), vi: () => import('./vi/earnings.ts') },
  team: { en: () => import('./en/team.ts'), vi: () => import('./vi/team.ts') },
  weekBoards: { en: () => import('./en/week-boards.ts'), vi: () => import('./vi/week-boards.ts') },
  tasks: { en: () => import('./en/tasks.ts'), vi: () => import('./vi/tasks.ts') },
  network: { en: () => import('./en/network.ts'), vi: () => import('./vi/network.ts') },
  account: { en: () => import('./en/account.ts'), vi: () => import('./vi/account.ts') },
  verify: { en: () => import('./en/verify.ts'), vi: () => import('./vi/verify.ts') },
  inbox: { en: () => import('./en/inbox.ts'), vi: () => import('./vi/inbox.ts') },
}

/** Parts that are on the screen or were, which another language needs too. */
const used = new Set<Part>(['common'])

const isMissing = (language: Language, part: Part) => !i18n.hasResourceBundle(language, part)

async function addPart(language: Language, part: Part): Promise<void> {
  for (const [namespace, texts] of Object.entries(await CHUNKS[part][language]())) {
    i18n.addResourceBundle(language, namespace, texts)
  }
}

async function addTexts(language: Language, parts: Iterable<Part> = used): Promise<void> {
  const missing = [...parts].filter((part) => isMissing(language, part))
  if (missing.length === 0) return
  await Promise.all(missing.map((part) => addPart(language, part)))
  // Another screen may have been opened meanwhile.
  await addTexts(language, parts)
}

/** Call it before code that shows the texts runs. @throws if a chunk cannot be loaded */
export async function loadTexts(...parts: Part[]): Promise<void> {
  const language = currentLanguage()
  for (const part of parts) used.add(part)
  try {
    // No others: one that could not be loaded must not fail every screen after it.
    await addTexts(language, parts)
  } catch (error) {
    for (const part of parts) if (isMissing(language, part)) used.delete(part)
    throw error
  }
}

export async function withTexts<Module>(
  module: Promise<Module>,
  texts: ScreenNamespace[],
): Promise<Module> {
  const [loaded] = await Promise.all([module, loadTexts(...texts)])
  return loaded
}

/** Sets the language at once, so that `loadTexts` loads in it. @throws if a chunk cannot be loaded */
export async function startTexts(language: Language): Promise<void> {
  await Promise.all([i18n.changeLanguage(language), addTexts(language)])
}

/** @throws if a chunk cannot be loaded; the language is then unchanged */
export async function changeLanguage(
  language: Language,
  isWanted: () => boolean = () => true,
): Promise<void> {
  await addTexts(language)
  if (isWanted()) await i18n.changeLanguage(language)
}
