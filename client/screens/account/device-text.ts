import { i18n } from '#client/language/language.ts'

/** A device in the language on the screen; the server names it in English. Needs the texts of `account`. */
export function deviceText(device: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(device) ?? []
  if (!browser || !system) return i18n.t('account:signIns.unknownDevice')
  return browser.startsWith('Unknown')
    ? i18n.t('account:signIns.unknownBrowser', { system })
    : i18n.t('account:signIns.device', { browser, system })
}
