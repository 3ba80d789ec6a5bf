import { expect, it } from 'vitest'
import { ignoredSettings } from './ignored-settings.ts'

it.each([
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['PORTT', 'PORT'],
  ['SMPT_URL', 'SMTP_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
])('%s is taken for %s', (name, meant) => {
  expect(ignoredSettings({ [name]: 'x' })).toEqual([[name, `is ${meant} meant?`]])
})

it('a setting of earlier versions is named with what stands for it', () => {
  expect(
    ignoredSettings({ DKIM_DOMAIN: 'tesp.example', MAIL_FROM: 'no-reply@tesp.example' }),
  ).toEqual([['DKIM_DOMAIN', 'mails are signed for the domain of MAIL_FROM']])
})

it('variables of other programs, and a setting that is there too, are left alone', () => {
  const env = {
    PATH: '/bin',
    HOME: '/root',
    PWD: '/',
    TERM: 'x',
    USER: 'x',
    HOSTNAME: 'x',
    LANG: 'C',
  }
  expect(ignoredSettings(env)).toEqual([])
  expect(ignoredSettings({ PORT: '1', PORTT: '2' })).toEqual([])
})
