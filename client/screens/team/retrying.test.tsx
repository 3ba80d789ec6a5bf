import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  isShown,
  keysOf,
  pass,
  passUntilShown,
  retryingButton,
  unavailable,
} from '#client/screens/testing/retrying.ts'
import { json, refusal } from '#client/testing/server.ts'
import type { RouteName } from '#contract/routes'
import { aReferralInfo } from './testing/a-team.ts'
import { openTeam, startTeam } from './testing/open-team.tsx'

const CHECK = 'GET /api/referral/check-milestones'
const nothingNew = { success: true, usdtRewarded: 0, newMilestones: [] }
const applied = { success: true, message: 'Referral code applied successfully' }

/** Every button of the screen: its route, the answer, and the texts for success and failure. */
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

it.each(BUTTONS)(
  '%s is sent again with the same key after 503',
  async (name, route, answer, text) => {
    const answers = [unavailable()]
    const server = await open({ [route]: () => answers.pop() ?? json(answer) })
    press(name)
    await pass(500)
    expect(retryingButton()?.textContent).toContain(name)
    expect(retryingButton()).toHaveProperty('disabled', true)
    await pass(1_500)
    expect(isShown(text)).toBe(true)
    expect(isShown('Retrying…')).toBe(false)
    const keys = keysOf(server, route)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    expect(localStorage).toHaveLength(0)
  },
)

it.each(BUTTONS)(
  '%s waits for the server after 7 seconds without success',
  async (name, route, _, __, failure) => {
    let refused = false
    await open({
      [route]: () => (refused ? refusal(500, 'Something went wrong') : unavailable()),
      'POST /api/commands/cancel': () => json({ cancelled: true, answer: null }),
    })
    press(name)
    await pass(6_900)
    expect(isShown('Waiting…')).toBe(false)
    await pass(200)
    expect(isShown('Waiting…')).toBe(true)
    expect(isShown('Error!')).toBe(false)
    refused = true
    await passUntilShown(new RegExp(`^${failure}.* Please try again later`))
  },
)
