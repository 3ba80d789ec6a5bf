import { i18n } from './language.ts'

type Messages = Readonly<Record<string, string>>

const VARIABLE = /\{\{(\w+)\}\}/g

/** Matches the messages of a key with variables, such as `Please wait {{seconds}}s`. */
function patternOf(key: string): RegExp {
  const literals = key.split(/\{\{\w+\}\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literals.join('(.+)')}$`, 's')
}

function textWithValues(messages: Messages, message: string): string | undefined {
  for (const [key, text] of Object.entries(messages)) {
    if (!key.includes('{{')) continue
    const values = patternOf(key).exec(message)?.slice(1)
    if (!values) continue
    const names = Array.from(key.matchAll(VARIABLE), ([, name]) => name)
    return text.replace(VARIABLE, (_, name) => values[names.indexOf(name)] ?? '')
  }
  return undefined
}

/**
 * A message of the server or of a form in the language on the screen; they are English in the API.
 * A message without a text of its own stays English.
 */
export function translated(message: string): string
export function translated(message: string | undefined): string | undefined
export function translated(message: string | undefined): string | undefined {
  const messages: Messages | undefined = i18n.getResourceBundle(i18n.language, 'messages')
  if (!messages || !message) return message
  return messages[message] ?? textWithValues(messages, message) ?? message
}
