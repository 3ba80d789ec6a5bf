import { afterEach, expect, it, vi } from 'vitest'
import { currentLanguage, i18n } from './language.ts'
import { changeLanguage, loadTexts } from './load-texts.ts'

afterEach(() => changeLanguage('en'))

it('a language is shown once its texts are loaded', async () => {
  expect(i18n.t('tasks:claim')).toBe('Claim Reward')
  await changeLanguage('vi')
  expect(currentLanguage()).toBe('vi')
  expect(i18n.t('tasks:claim')).toBe('Nhận thưởng')
  await changeLanguage('en')
  expect(i18n.t('tasks:claim')).toBe('Claim Reward')
})

it('texts of a screen that was opened in Vietnamese are loaded for a change to English', async () => {
  await changeLanguage('vi')
  i18n.removeResourceBundle('en', 'network')
  await loadTexts('network')
  expect(i18n.hasResourceBundle('en', 'network')).toBe(false)
  await changeLanguage('en')
  expect(i18n.t('network:coming.title')).toBe('Coming Soon')
})

it('texts that cannot be loaded fail only what shows them', async () => {
  await changeLanguage('vi')
  vi.doMock('./vi/network.ts', () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  i18n.removeResourceBundle('vi', 'network')
  i18n.removeResourceBundle('vi', 'team')
  await expect(loadTexts('network')).rejects.toThrow()
  await loadTexts('team')
  expect(i18n.hasResourceBundle('vi', 'team')).toBe(true)
  vi.doUnmock('./vi/network.ts')
  await loadTexts('network')
})

it('a text has the plural form of its language', async () => {
  expect(i18n.t('account:kyc.kept', { count: 1 })).toContain('1 day after')
  expect(i18n.t('account:kyc.kept', { count: 30 })).toContain('30 days after')
  await changeLanguage('vi')
  expect(i18n.t('account:kyc.kept', { count: 1 })).toContain('1 ngày')
})
