import { expect, it } from 'vitest'
import { memberOfToken, unsubscribeUrl } from './mail-reminders.ts'

const dataKey = Buffer.alloc(32, 7)
const place = { dataKey, port: 3000 }
const token = unsubscribeUrl({ ...place, publicOrigins: [] }, 42).split('token=')[1] ?? ''

it('a token names its member', () => {
  expect(memberOfToken(dataKey, token)).toBe(42)
})

it('a token for another member, of another key or with a changed signature is rejected', () => {
  expect(memberOfToken(dataKey, token.replace('42.', '43.'))).toBeUndefined()
  expect(memberOfToken(Buffer.alloc(32, 8), token)).toBeUndefined()
  expect(memberOfToken(dataKey, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBe(
    undefined,
  )
})

it.each(['', '42', '42.', '.x', '042.x', 'x'.repeat(5_000)])('the text %j is no token', (text) => {
  expect(memberOfToken(dataKey, text)).toBeUndefined()
})

it('the link begins with the first public origin, or with this machine', () => {
  expect(unsubscribeUrl({ ...place, publicOrigins: ['https://tesp.example'] }, 42)).toMatch(
    /^https:\/\/tesp\.example\/unsubscribe\?token=42\.[\w-]{43}$/,
  )
  expect(unsubscribeUrl({ ...place, publicOrigins: [] }, 42)).toMatch(/^http:\/\/localhost:3000\//)
})
