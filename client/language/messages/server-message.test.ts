import { afterEach, expect, it } from 'vitest'
import { changeLanguage } from '#client/language/load-texts.ts'
import { translated } from './server-message.ts'

afterEach(() => changeLanguage('en'))

it('a message of the server is in the language on the screen', async () => {
  expect(translated('Invalid OTP code')).toBe('Invalid OTP code')
  await changeLanguage('vi')
  expect(translated('Invalid OTP code')).toBe('Mã OTP không hợp lệ')
  expect(translated('Your account is frozen: spam (see mail)')).toBe(
    'Tài khoản của bạn đang bị khóa: spam (see mail)',
  )
})

it('a message without a text stays English', async () => {
  await changeLanguage('vi')
  expect(translated('A message of a newer server')).toBe('A message of a newer server')
  expect(translated(undefined)).toBeUndefined()
})
