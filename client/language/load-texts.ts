import { DEFAULT_LANGUAGE, type Language } from '#rules/languages'
import type { Catalogues, Namespace, ScreenNamespace } from './catalogues.ts'
import { currentLanguage, i18n } from './language.ts'

/** One chunk for each screen. */
const ENGLISH: { [N in ScreenNamespace]: () => Promise<Catalogues[N]> } = {
  auth: async () => (await import('./en/auth.ts')).auth,
  mine: async () => (await import('./en/mine.ts')).mine,
  wallet: async () => (await import('./en/wallet.ts')).wallet,
  team: async () => (await import('./en/team.ts')).team,
  tasks: async () => (await import('./en/tasks.ts')).tasks,
  network: async () => (await import('./en/network.ts')).network,
  account: async () => (await import('./en/account.ts')).account,
  verify: async () => (await import('./en/verify.ts')).verify,
}

/** One chunk for each other language. */
const OTHERS: Record<Exclude<Language, 'en'>, () => Promise<Record<string, object>>> = {
  vi: () => import('./vi/index.ts'),
}

export const SCREEN_NAMESPACES = Object.keys(ENGLISH) as ScreenNamespace[]

/** The namespaces of the screens that were opened, for a change of the language. */
const opened = new Set<ScreenNamespace>()

const isMissing = (language: Language, namespace: Namespace) =>
  !i18n.hasResourceBundle(language, namespace)

async function addEnglish(namespace: ScreenNamespace): Promise<void> {
  i18n.addResourceBundle(DEFAULT_LANGUAGE, namespace, await ENGLISH[namespace]())
}

/** Adds the texts of all opened screens. */
async function addTexts(language: Language): Promise<void> {
  if (language === DEFAULT_LANGUAGE) {
    const missing = [...opened].filter((namespace) => isMissing(language, namespace))
    if (missing.length === 0) return
    await Promise.all(missing.map(addEnglish))
    // Another screen may have been opened meanwhile.
    await addTexts(language)
  } else if (isMissing(language, 'common')) {
    const catalogues = Object.entries(await OTHERS[language]())
    for (const [name, texts] of catalogues) i18n.addResourceBundle(language, name, texts)
  }
}

/**
 * Loads the texts of a screen in the current language, before its code runs.
 * @throws if a chunk cannot be loaded
 */
export async function loadTexts(...namespaces: ScreenNamespace[]): Promise<void> {
  for (const namespace of namespaces) opened.add(namespace)
  await addTexts(currentLanguage())
}

/**
 * Shows another language, once its texts are loaded.
 * @throws if a chunk cannot be loaded; the language is then unchanged
 */
export async function changeLanguage(language: Language): Promise<void> {
  await addTexts(language)
  await i18n.changeLanguage(language)
}
