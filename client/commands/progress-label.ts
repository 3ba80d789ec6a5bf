import { i18n } from '#client/language/language.ts'
import type { CommandState } from './command-state.ts'

/** The label of a busy button; `pendingLabel` while its first request is on its way. */
export function progressLabel<L>(state: CommandState, pendingLabel: L): L | string {
  if (state === 'retrying' || state === 'refusing') return i18n.t('retrying')
  return state === 'waiting' || state === 'undoing' ? i18n.t('waiting') : pendingLabel
}
