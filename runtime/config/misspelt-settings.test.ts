import { expect, it } from 'vitest'
import { misspeltSettings } from './misspelt-settings.ts'

it.each([
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['PORTT', 'PORT'],
  ['SMPT_URL', 'SMTP_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
])('%s is taken for %s', (name, meant) => {
  expect(misspeltSettings({ [name]: 'x' })).toEqual([[name, meant]])
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
  expect(misspeltSettings(env)).toEqual([])
  expect(misspeltSettings({ PORT: '1', PORTT: '2' })).toEqual([])
})
