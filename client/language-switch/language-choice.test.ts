import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentLanguage } from '#client/language/language.ts'
import { changeLanguage } from '#client/language/load-texts.ts'
import { startLanguage } from './language-choice.ts'

const prefer = (...languages: string[]) =>
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages)

beforeEach(() => localStorage.clear())
afterEach(async () => {
  vi.restoreAllMocks()
  await changeLanguage('en')
})

describe('the language of the first visit', () => {
  it.each([
    [['vi-VN', 'en-US'], 'vi'],
    [['en-GB', 'vi'], 'en'],
    [['fr-FR', 'vi'], 'vi'],
    [['de'], 'en'],
  ])('a browser that prefers %j shows %s', async (languages, shown) => {
    prefer(...languages)
    await startLanguage()
    expect(currentLanguage()).toBe(shown)
    expect(document.documentElement.lang).toBe(shown)
  })
})

it('the choice on the device comes before the browser’s preference', async () => {
  prefer('vi-VN')
  localStorage.setItem('language', 'en')
  await startLanguage()
  expect(currentLanguage()).toBe('en')
})

it('an unknown stored choice is ignored', async () => {
  prefer('vi')
  localStorage.setItem('language', 'tlh')
  await startLanguage()
  expect(currentLanguage()).toBe('vi')
})

it('the choice in another tab is followed', async () => {
  prefer('en')
  await startLanguage()
  localStorage.setItem('language', 'vi')
  window.dispatchEvent(new StorageEvent('storage', { key: 'language' }))
  await vi.waitFor(() => expect(document.documentElement.lang).toBe('vi'))
})

it('the page names the manifest of the language on the screen', async () => {
  document.head.innerHTML = '<link rel="manifest" href="/manifest.webmanifest" />'
  const manifest = () => document.querySelector('link')?.getAttribute('href')
  localStorage.setItem('language', 'vi')
  await startLanguage()
  expect(manifest()).toBe('/manifest.vi.webmanifest')
  await changeLanguage('en')
  expect(manifest()).toBe('/manifest.webmanifest')
})
