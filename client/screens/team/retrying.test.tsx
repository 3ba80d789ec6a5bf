import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { json, refusal } from '#client/testing/server.ts'
import type { RouteName } from '#contract/routes'
import { aReferralInfo } from './testing/a-team.ts'
import { openTeam, startTeam } from './testing/open-team.tsx'

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const shown = (text: string) => screen.queryAllByText(text).length > 0
const unavailable = () => refusal(503, 'Service temporarily unavailable', 'unavailable')

const CHECK = 'GET /api/referral/check-milestones'
const nothingNew = { success: true, usdtRewarded: 0, newMilestones: [] }
const applied = { success: true, message: 'Referral code applied successfully' }

/** Each button of the screen: what it calls, the answer, and what is said of it or of a failure. */
const BUTTONS: [string, RouteName, object, string, string][] = [
  ['Check new milestones', CHECK, nothingNew, 'No New Milestones', 'Unable to check'],
  ['Check Milestone', CHECK, nothingNew, 'No New Milestones', 'Unable to check'],
  [
    'Generate referral code',
    'POST /api/referral/generate-code',
    { success: true, referralCode: 'TESPNEW234' },
    'A new referral code has been created for you.',
    'Unable to create referral code.',
  ],
  [
    'Apply Referral Code',
    'POST /api/referral/apply-code',
    applied,
    applied.message,
    'Unable to apply referral code.',
  ],
]

beforeEach(() => {
  startTeam()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open(handlers: Parameters<typeof openTeam>[1]) {
  const { server } = openTeam(aReferralInfo(), handlers)
  await pass(10)
  const code = screen.getByPlaceholderText('Enter TESP-XXXXX')
  fireEvent.change(code, { target: { value: 'TESPABC234' } })
  return server
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

it.each(BUTTONS)('%s is sent again under its key after 503', async (name, route, answer, text) => {
  const answers = [unavailable()]
  const server = await open({ [route]: () => answers.pop() ?? json(answer) })
  press(name)
  await pass(500)
  expect(screen.getByText('Retrying…').closest('button')?.textContent).toContain(name)
  expect(screen.getByText('Retrying…').closest('button')).toHaveProperty('disabled', true)
  await pass(1_500)
  expect(shown(text)).toBe(true)
  expect(screen.queryByText('Retrying…')).toBeNull()
  const sent = server.sent.filter((one) => one.route === route)
  expect(sent).toHaveLength(2)
  expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1)
  expect(sessionStorage).toHaveLength(0)
})

it.each(BUTTONS)('%s fails where 7 seconds do not help', async (name, route, _, __, failure) => {
  await open({ [route]: unavailable })
  press(name)
  await pass(6_900)
  expect(shown('Error!')).toBe(false)
  await pass(200)
  expect(shown('Error!')).toBe(true)
  expect(screen.getAllByText(new RegExp(`^${failure}.* Please try again later`))).not.toEqual([])
  expect(sessionStorage).toHaveLength(1)
})
