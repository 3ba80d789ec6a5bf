import { escapeHtml } from '#db/mail-texts/mail-html'

/** HTML that needs no further escaping. */
export class Html {
  constructor(readonly text: string) {}
}

/** What a template takes; a boolean, null and undefined are nothing. */
export type Value = Html | Value[] | string | number | boolean | null | undefined

function escaped(value: Value): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(escaped).join('')
  if (typeof value === 'boolean' || value === null || value === undefined) return ''
  return escapeHtml(String(value)).replaceAll("'", '&#39;')
}

/** Template of HTML; every value that is not HTML itself is escaped. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const texts = values.map((value, at) => escaped(value) + (parts[at + 1] ?? ''))
  return new Html((parts[0] ?? '') + texts.join(''))
}
