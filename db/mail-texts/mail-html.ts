import templates from './templates.json' with { type: 'json' }

type Fragment = keyof typeof templates

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as content of an element or of a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** A fragment with its HTML values; `npm run test:fast -- -u` compiles templates.json from mail-templates.tsx. */
export function htmlFragment(name: Fragment, values: Record<string, string>): string {
  return templates[name].replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = values[key]
    if (value === undefined) throw new Error(`The fragment ${name} of mails lacks ${key}`)
    return value
  })
}
