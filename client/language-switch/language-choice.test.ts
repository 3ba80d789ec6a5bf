import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentLanguage } from '#client/language/language.ts'
import { changeLanguage } from '#client/language/load-texts.ts'
import { deviceLanguage, keepChoice, startLanguage } from './language-choice.ts'

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
    await startLanguage(deviceLanguage())
    expect(currentLanguage()).toBe(shown)
    expect(document.documentElement.lang).toBe(shown)
  })
})

it('the choice on the device comes before the browser’s preference', async () => {
  prefer('vi-VN')
  localStorage.setItem('language', 'en')
  await startLanguage(deviceLanguage())
  expect(currentLanguage()).toBe('en')
})

it('an unknown stored choice is ignored', async () => {
  prefer('vi')
  localStorage.setItem('language', 'tlh')
  await startLanguage(deviceLanguage())
  expect(currentLanguage()).toBe('vi')
})

it('the choice in another tab is followed', async () => {
  prefer('en')
  await startLanguage(deviceLanguage())
  localStorage.setItem('language', 'vi')
  window.dispatchEvent(new StorageEvent('storage', { key: 'language' }))
  await vi.waitFor(() => expect(document.documentElement.lang).toBe('vi'))
})

it('the choice on the device is sent to the server, again after each start', async () => {
  keepChoice('vi')
  expect(document.cookie).toContain('tesp-language=vi')
  // biome-ignore lint/suspicious/noDocumentCookie: happy-dom has no Cookie Store API.
  document.cookie = 'tesp-language=; Path=/; Max-Age=0'
  await startLanguage(deviceLanguage())
  expect(document.cookie).toContain('tesp-language=vi')
})

it('the language of the member comes before the browser’s preference', () => {
  prefer('en')
  expect(deviceLanguage('vi')).toBe('vi')
  keepChoice('en')
  expect(deviceLanguage('vi')).toBe('en')
})

it('the page names the manifest of the language on the screen', async () => {
  document.head.innerHTML = '<link rel="manifest" href="/manifest.webmanifest" />'
  const manifest = () => document.querySelector('link')?.getAttribute('href')
  localStorage.setItem('language', 'vi')
  await startLanguage(deviceLanguage())
  expect(manifest()).toBe('/manifest.vi.webmanifest')
  await changeLanguage('en')
  expect(manifest()).toBe('/manifest.webmanifest')
})

it('the language of the document is not set again, because that computes every style', async () => {
  prefer('vi')
  document.documentElement.lang = 'vi'
  const change = vi.spyOn(document.documentElement, 'lang', 'set')
  await startLanguage(deviceLanguage())
  expect(currentLanguage()).toBe('vi')
  expect(change).not.toHaveBeenCalled()
})
