import { expect, it } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#rules/constants'
import { ReviewSessions } from './sessions.ts'

it('a sign-in of a reviewer ends after 15 minutes without a request', () => {
  const sessions = new ReviewSessions()
  const id = sessions.begin(7, 0)
  expect(sessions.find(id, 14 * MINUTE_MS)).toBe(7)
  expect(sessions.find(id, 28 * MINUTE_MS)).toBe(7)
  expect(sessions.find(id, 43 * MINUTE_MS)).toBeUndefined()
})

it('a sign-in of a reviewer ends after 8 hours, and when it is ended', () => {
  const sessions = new ReviewSessions()
  const [id, other] = [sessions.begin(7, 0), sessions.begin(8, 0)]
  for (let at = 0; at < 8 * HOUR_MS; at += 10 * MINUTE_MS) expect(sessions.find(id, at)).toBe(7)
  expect(sessions.find(id, 8 * HOUR_MS)).toBeUndefined()
  sessions.end(other)
  expect(sessions.find(other, 1)).toBeUndefined()
  expect(sessions.find('', 0)).toBeUndefined()
})
