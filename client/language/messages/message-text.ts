/** Texts by message; a message with variables contains `{{name}}` for each. */
export type MessageTexts = Readonly<Record<string, string>>

const VARIABLE = /\{\{(\w+)\}\}/g

/** Matches the messages of a key with variables, such as `Please wait {{seconds}}s`. */
function patternOf(key: string): RegExp {
  const literals = key
    .split(/\{\{\w+\}\}/)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literals.join('(.+)')}$`, 's')
}

/** The text of a message, with the values that the message contains; undefined without one. */
export function messageText(texts: MessageTexts, message: string): string | undefined {
  if (Object.hasOwn(texts, message)) return texts[message]
  for (const [key, text] of Object.entries(texts)) {
    if (!key.includes('{{')) continue
    const values = patternOf(key).exec(message)?.slice(1)
    if (!values) continue
    const names = Array.from(key.matchAll(VARIABLE), ([, name]) => name)
    return text.replace(VARIABLE, (_, name) => values[names.indexOf(name)] ?? '')
  }
  return undefined
}
