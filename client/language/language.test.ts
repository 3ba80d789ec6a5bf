import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_TEXTS } from '#rules/api-texts'
import { STATUS } from '#rules/rule-error'
import { apiText, errorText, i18n } from './language.ts'
import { changeLanguage, loadTexts } from './load-texts.ts'

beforeAll(() => loadTexts('errors'))
afterAll(() => changeLanguage('en'))

it('the texts of the server stay as they are in English', () => {
  expect(apiText('Invalid OTP code')).toBe('Invalid OTP code')
  const answer = { message: 'Please sign in', code: 'not_signed_in' }
  expect(errorText(answer)).toBe('Please sign in')
})

describe('in Vietnamese', () => {
  beforeAll(() => changeLanguage('vi'))

  it.each(Object.entries(API_TEXTS))('the API text %s is translated', (_, text) => {
    expect(apiText(text)).not.toBe(text)
  })

  it('every error code has a text with exactly the values that the server sends', () => {
    const texts: Record<string, string> = i18n.getResourceBundle('vi', 'errors')
    expect(Object.keys(texts).sort()).toEqual([...Object.keys(STATUS), 'unavailable'].sort())
    const withValues = Object.entries(texts)
      .map(([code, text]) => [code, text.match(/\{\{\w+\}\}/g)])
      .filter(([, values]) => values)
    expect(Object.fromEntries(withValues)).toEqual({
      account_frozen: ['{{reason}}'],
      claim_cooldown: ['{{time}}'],
      otp_too_soon: ['{{seconds}}'],
    })
  })

  it('an error is translated by its code, with its values', () => {
    const frozen = { message: 'Your account is frozen: spam (see mail)', code: 'account_frozen' }
    expect(errorText({ ...frozen, params: { reason: 'spam (see mail)' } })).toBe(
      'Tài khoản của bạn đang bị khóa: spam (see mail)',
    )
    expect(errorText(frozen)).toBe(frozen.message)
  })

  it('the second text of a code is translated by its key', () => {
    const answer = { message: API_TEXTS.referralOwn, code: 'referral_refused' }
    expect(errorText(answer)).toBe('Bạn không thể dùng mã giới thiệu của chính mình')
  })

  it('a text without a translation stays English', () => {
    expect(errorText({ message: 'A newer server', code: 'newer' })).toBe('A newer server')
    expect(apiText('constructor')).toBe('constructor')
    expect(apiText(undefined)).toBeUndefined()
  })
})
