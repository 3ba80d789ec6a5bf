import { describe, expect, it } from 'vitest'
import { i18n } from './language.ts'
import { CHUNKS, changeLanguage } from './load-texts.ts'

type Texts = { [key: string]: string | Texts }

/** The texts of a catalogue by their path, such as `reset.title`. */
function flat(texts: Texts, above = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([key, text]) =>
      typeof text === 'string' ? { [above + key]: text } : flat(text, `${above}${key}.`),
    ),
  )
}

/** Variables and elements of a text: `{{name}}`, `<when>`. */
const placesIn = (text = '') => [...new Set(text.match(/\{\{[^}]+\}\}|<\/?\w+\/?>/g))].sort()

// Loads the Vietnamese catalogues into the store.
await changeLanguage('vi')

const namespaces = ['layout', ...Object.keys(CHUNKS).filter((part) => part !== 'errors')]

describe.each(namespaces)('catalogue %s', (namespace) => {
  const en = flat(i18n.getResourceBundle('en', namespace))
  const vi = flat(i18n.getResourceBundle('vi', namespace))

  it('has the same keys in both languages, except the singular', () => {
    const shared = Object.keys(en).filter((key) => !key.endsWith('_one'))
    expect(Object.keys(vi).sort()).toEqual(shared.sort())
  })

  it('has the same variables and elements in both languages', () => {
    const places = (texts: Record<string, string>) =>
      Object.keys(vi).map((key) => [key, placesIn(texts[key])])
    expect(places(vi)).toEqual(places(en))
  })

  it('has a plural for each singular, and no empty text', () => {
    const singular = Object.keys(en).filter((key) => key.endsWith('_one'))
    expect(singular.filter((key) => !(key.replace(/_one$/, '_other') in en))).toEqual([])
    expect([...Object.values(en), ...Object.values(vi)].filter((text) => !text.trim())).toEqual([])
  })
})
