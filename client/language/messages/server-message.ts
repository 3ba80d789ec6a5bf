import { i18n } from '#client/language/language.ts'
import { type MessageTexts, messageText } from './message-text.ts'

/**
 * A message of the server or of a form in the language on the screen; they are English in the API.
 * A message without a text of its own stays English.
 */
export function translated(message: string): string
export function translated(message: string | undefined): string | undefined
export function translated(message: string | undefined): string | undefined {
  const texts: MessageTexts | undefined = i18n.getResourceBundle(i18n.language, 'messages')
  if (!texts || !message) return message
  return messageText(texts, message) ?? message
}
