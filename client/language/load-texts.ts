import type { Language } from '#rules/members/languages'
import type { ScreenNamespace } from './catalogues.ts'
import { currentLanguage, i18n } from './language.ts'

/** What is loaded together: the texts of every screen, those of one, or the server's texts. */
type Part = 'common' | 'errors' | ScreenNamespace

type Load = () => Promise<Record<string, object>>

/** One chunk for each part, so that a page loads only its own texts in its own language. */
export const CHUNKS: Record<Language, Record<Part, Load>> = {
  en: {
    common: () => import('./en/common-and-layout.ts'),
    // The server writes English.
    errors: async () => ({ errors: {}, apiTexts: {} }),
    auth: () => import('./en/auth.ts'),
    mine: () => import('./en/mine.ts'),
    firstSteps: () => import('./en/first-steps.ts'),
    wallet: () => import('./en/wallet.ts'),
    earnings: () => import('./en/earnings.ts'),
    team: () => import('./en/team.ts'),
    weekBoards: () => import('./en/week-boards.ts'),
    tasks: () => import('./en/tasks.ts'),
    network: () => import('./en/network.ts'),
    account: () => import('./en/account.ts'),
    verify: () => import('./en/verify.ts'),
    inbox: () => import('./en/inbox.ts'),
  },
  vi: {
    common: () => import('./vi/common-and-layout.ts'),
    errors: () => import('./vi/errors.ts'),
    auth: () => import('./vi/auth.ts'),
    mine: () => import('./vi/mine.ts'),
    firstSteps: () => import('./vi/first-steps.ts'),
    wallet: () => import('./vi/wallet.ts'),
    earnings: () => import('./vi/earnings.ts'),
    team: () => import('./vi/team.ts'),
    weekBoards: () => import('./vi/week-boards.ts'),
    tasks: () => import('./vi/tasks.ts'),
    network: () => import('./vi/network.ts'),
    account: () => import('./vi/account.ts'),
    verify: () => import('./vi/verify.ts'),
    inbox: () => import('./vi/inbox.ts'),
  },
}

/** Parts that are on the screen or were, which another language needs too. */
const used = new Set<Part>(['common'])

const isMissing = (language: Language, part: Part) => !i18n.hasResourceBundle(language, part)

async function addPart(language: Language, part: Part): Promise<void> {
  for (const [namespace, texts] of Object.entries(await CHUNKS[language][part]())) {
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
