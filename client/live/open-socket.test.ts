import { expect, it } from 'vitest'
import { openSocket } from './open-socket.ts'

/** What `socket.io-client` waits before a retry, ms; its types do not declare it. */
type WithBackoff = { backoff: { duration(): number } }

const PAGES = 200
/** A crowd without random delays retries within this time, ms. */
const HERD_MS = 300

it('200 pages that lose their sockets at once retry spread over time', () => {
  const delays = Array.from({ length: PAGES }, () =>
    (openSocket().io as unknown as WithBackoff).backoff.duration(),
  )
  const herds = delays.map((from) => delays.filter((ms) => ms >= from && ms < from + HERD_MS))
  // The first retries are spread over 1.2 s, so about a quarter fall into HERD_MS.
  expect(Math.max(...herds.map(({ length }) => length))).toBeLessThan(PAGES * 0.5)
})
