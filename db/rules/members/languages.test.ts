import { expect, it } from 'vitest'
import { isLanguage, languageOf } from './languages.ts'

it.each([
  [['vi-VN', 'en-US'], 'vi'],
  [['en-GB', 'vi'], 'en'],
  [['fr', 'VI'], 'vi'],
  [['fr-FR', 'de'], 'en'],
  [[], 'en'],
])('languageOf(%j) is %s', (tags, language) => {
  expect(languageOf(tags)).toBe(language)
})

it('a tag with a region is not a language of the product', () => {
  expect(isLanguage('vi')).toBe(true)
  expect(isLanguage('vi-VN')).toBe(false)
  expect(isLanguage(undefined)).toBe(false)
})
