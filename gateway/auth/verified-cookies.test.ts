import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { verifiedCookies } from './session-cookie.ts'

const read: string[] = []
/** Reads `name=…` and finds no valid signature without `valid`. */
const nameOf = ({ headers: { cookie = '' } }: IncomingMessage) => {
  read.push(cookie)
  return cookie.includes('valid') ? cookie.slice(0, 6) : undefined
}
const sent = (cookie?: string) => ({ headers: { cookie } }) as unknown as IncomingMessage

it('a cookie whose signature was valid is verified once, any other one each time', () => {
  const reader = verifiedCookies(nameOf, 10)
  read.length = 0
  const cookies = ['name=1; valid', 'name=1; forged', undefined]
  for (const cookie of [...cookies, ...cookies]) {
    expect(reader(sent(cookie))).toBe(cookie?.includes('valid') ? 'name=1' : undefined)
  }
  expect(read).toEqual(['name=1; valid', 'name=1; forged', '', 'name=1; forged', ''])
})

it('the oldest cookie leaves when the limit is reached, and no long one is kept', () => {
  const reader = verifiedCookies(nameOf, 2)
  read.length = 0
  const [one, two, three] = ['name=1; valid', 'name=2; valid', 'name=3; valid']
  const long = `name=4; valid; other=${'x'.repeat(500)}`
  for (const cookie of [one, two, three, two, three, one, long, long]) reader(sent(cookie))
  expect(read).toEqual([one, two, three, one, long, long])
})

it('cookies without a valid signature displace none', () => {
  const reader = verifiedCookies(nameOf, 1)
  reader(sent('name=1; valid'))
  reader(sent('name=2; forged'))
  read.length = 0
  expect(reader(sent('name=1; valid'))).toBe('name=1')
  expect(read).toEqual([])
})
