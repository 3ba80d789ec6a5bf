import { expect, it } from 'vitest'
import { refusalOf, withoutAddresses } from './mail-refusal.ts'

const smtp = (code: string, command: string, response: string) =>
  Object.assign(new Error('rejected'), {
    ...{ code, command, response },
    responseCode: Number(response.slice(0, 3)),
  })
const recipient = (response: string) => refusalOf(smtp('EENVELOPE', 'RCPT TO', response))

it.each([
  '550 5.1.1 <ann@test.example>: Recipient address rejected: User unknown in virtual table',
  '550-5.1.1 The email account that you tried to reach does not exist',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound',
  '550 5.2.1 The email account that you tried to reach is disabled',
  '550 No such user here',
  '553 mailbox name not allowed',
])('%s is a refused address', (response) => {
  expect(recipient(response)).toBe('address')
})

it.each([
  '554 5.7.1 <ann@test.example>: Relay access denied',
  '550 5.7.1 Service unavailable; client host blocked',
  '550 5.7.26 This mail has been blocked because the sender is unauthenticated (SPF, DKIM)',
  '552 5.2.2 Mailbox full',
  '550 relay not permitted',
  '554 transaction failed',
])('%s is a refused mail, and no address is marked', (response) => {
  expect(recipient(response)).toBe('mail')
})

it('what is no fault of the mail is retried', () => {
  expect(recipient('450 4.2.1 mailbox busy')).toBeUndefined()
  expect(refusalOf(smtp('EENVELOPE', 'MAIL FROM', '550 5.7.1 sender refused'))).toBeUndefined()
  expect(refusalOf(smtp('EAUTH', 'AUTH PLAIN', '535 5.7.8 wrong password'))).toBeUndefined()
  expect(refusalOf(new Error('ECONNREFUSED'))).toBeUndefined()
})

it.each([
  ['450 4.2.0 <Bob@X.example>: Recipient rejected', '450 4.2.0 <address>: Recipient rejected'],
  ['550 bob+1@x.example, b@y.example unknown', '550 <address>, <address> unknown'],
  ['550 see https://x.example/?id=bob%40x.example', '550 see https:<address>'],
  ['421 4.7.0 try again later', '421 4.7.0 try again later'],
])('%s is logged as %s', (answer, logged) => {
  expect(withoutAddresses(answer)).toBe(logged)
})

it('a refused content is a refused mail', () => {
  expect(refusalOf(smtp('EMESSAGE', 'DATA', '554 5.1.1 spam'))).toBe('mail')
})
