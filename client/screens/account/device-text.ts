import { i18n } from '#client/language/language.ts'

/** Translates the English name that the server gives a device. Needs the texts of `account`. */
export function deviceText(device: string): string {
  const [, browser, system] = /^(.+) on (.+)$/.exec(device) ?? []
  if (!browser || !system) return i18n.t('account:signIns.unknownDevice')
  return browser.startsWith('Unknown')
    ? i18n.t('account:signIns.unknownBrowser', { system })
    : i18n.t('account:signIns.device', { browser, system })
}
