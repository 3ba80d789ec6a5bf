import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Cookies from 'cookies'
import { expect, it } from 'vitest'
import { cookieKeys } from './session-cookie.ts'

const KEYS = ['the first key of thirty-two signs', 'an older key of thirty-two signs']

/** The value that `cookies` reads from this header, with these keys. */
function readWith(keys: Cookies.Option['keys'], cookie: string): string | undefined {
  const request = new IncomingMessage(new Socket())
  request.headers = { cookie }
  const cookies = new Cookies(request, new ServerResponse(request), keys ? { keys } : {})
  return cookies.get('name', { signed: true })
}

/** A header with a cookie that `cookies` signed with its own Keygrip. */
function signedByKeygrip(key: string, value: string): string {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  new Cookies(request, response, { keys: [key] }).set('name', value, { signed: true })
  const lines = response.getHeader('set-cookie') as string[]
  return lines.map((line) => line.split(';')[0]).join('; ')
}

it('cookies that Keygrip signed with any of the keys are accepted', () => {
  for (const key of KEYS) {
    for (let n = 0; n < 50; n++) {
      expect(readWith(cookieKeys(KEYS), signedByKeygrip(key, `value-${n}`))).toBe(`value-${n}`)
    }
  }
})

it('a cookie of an older key is not signed again, which would end with the browser', () => {
  const request = new IncomingMessage(new Socket())
  request.headers = { cookie: signedByKeygrip(KEYS[1] ?? '', 'value') }
  const response = new ServerResponse(request)
  const cookies = new Cookies(request, response, { keys: cookieKeys(KEYS) })
  expect(cookies.get('name', { signed: true })).toBe('value')
  expect(response.getHeader('set-cookie')).toBeUndefined()
})

it('signatures equal those of Keygrip', () => {
  const signature = cookieKeys(KEYS).sign('name=value')
  expect(signedByKeygrip(KEYS[0] ?? '', 'value')).toBe(`name=value; name.sig=${signature}`)
  expect(cookieKeys(KEYS).verify('name=value', signature)).toBe(true)
})

it.each([
  ['an unknown key', signedByKeygrip('a key that nobody has in use now', 'value')],
  ['another value', signedByKeygrip(KEYS[0] ?? '', 'value').replace('=value', '=other')],
  ['a shortened signature', signedByKeygrip(KEYS[0] ?? '', 'value').slice(0, -1)],
  ['an empty signature', 'name=value; name.sig='],
  ['no signature', 'name=value'],
])('a cookie with %s is rejected', (_, cookie) => {
  expect(readWith(cookieKeys(KEYS), cookie)).toBeUndefined()
})
