import type { Catalogues } from '#client/language/catalogues.ts'
import { i18n } from '#client/language/language.ts'

type Named = keyof Catalogues['common']['command']

const isNamed = (name: string): name is Named => i18n.exists(`command.${name}.action`)

/** What a command will do, for `Will … when you are back online`. */
export function actionText(name: string): string {
  return isNamed(name) ? i18n.t(`command.${name}.action`) : name
}

/** What did not happen when a command was dropped, as a title. */
export function notDoneText(name: string): string {
  return isNamed(name) ? i18n.t(`command.${name}.notDone`) : name
}
