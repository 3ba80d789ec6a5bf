import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { receiveSnapshot, setUser } from '#client/data/member-data.ts'
import { anActiveStatus, anIdleStatus } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { followBadge } from './app-badge.ts'

const device = { setAppBadge: vi.fn(async () => {}), clearAppBadge: vi.fn(async () => {}) }
const isSet = () => {
  const [set = 0] = device.setAppBadge.mock.invocationCallOrder.slice(-1)
  const [cleared = 0] = device.clearAppBadge.mock.invocationCallOrder.slice(-1)
  return set > cleared
}
/** The query client notifies the atoms in a 0 ms timer. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 10))
let asOf = 0

async function receive(status: ReturnType<typeof anActiveStatus>): Promise<void> {
  asOf += 1_000
  receiveSnapshot('/api/mining/status', { ...status, asOf: status.asOf + asOf })
  await settled()
}
const over = () => {
  const { session, ...rest } = anActiveStatus()
  return { ...rest, active: false, session: session && { ...session, isCompleted: true } }
}

beforeAll(() => followBadge())
beforeEach(async () => {
  vi.clearAllMocks()
  Object.assign(navigator, device)
  startAs()
  await settled()
  window.history.replaceState(null, '', '/wallet')
})

it('the end of a session marks the icon until the next one starts', async () => {
  await receive(anActiveStatus())
  expect(isSet()).toBe(false)
  await receive(over())
  expect(isSet()).toBe(true)
  await receive(anActiveStatus())
  expect(isSet()).toBe(false)
})

it('opening Mine removes the mark, and a session that ends there sets none', async () => {
  await receive(anActiveStatus())
  await receive(over())
  window.history.pushState(null, '', '/mine')
  window.dispatchEvent(new Event('pushState'))
  expect(isSet()).toBe(false)
  await receive(anActiveStatus())
  await receive(over())
  expect(isSet()).toBe(false)
})

it.each(['/inbox', '/team'])('the mark of a notification is removed on %s', async (path) => {
  await device.setAppBadge()
  window.history.pushState(null, '', path)
  window.dispatchEvent(new Event('pushState'))
  expect(isSet()).toBe(false)
})

it('a session that the member stopped sets no mark, and a sign-out removes it', async () => {
  await receive(anActiveStatus())
  await receive(anIdleStatus())
  expect(isSet()).toBe(false)
  await receive(anActiveStatus())
  await receive(over())
  setUser(null)
  await settled()
  expect(isSet()).toBe(false)
})

it('a browser without badges, or without permission for them, shows no error', async () => {
  Object.assign(navigator, { setAppBadge: undefined, clearAppBadge: undefined })
  await receive(anActiveStatus())
  await receive(over())
  const refused = async () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  Object.assign(navigator, { setAppBadge: refused, clearAppBadge: refused })
  await receive(anActiveStatus())
  await receive(over())
})
