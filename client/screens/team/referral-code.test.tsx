import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NOW } from '#client/testing/fixtures.ts'
import { json, refusal } from '#client/testing/server.ts'
import { aReferralInfo } from './testing/a-team.ts'
import { button, openTeam, said, setInfo, somebody, startTeam } from './testing/open-team.tsx'

beforeEach(startTeam)
afterEach(() => void vi.unstubAllGlobals())

describe("the member's own code", () => {
  it('stands there with its link, each to be copied', async () => {
    openTeam(somebody)
    expect(await screen.findByText('TESPABC234')).toBeTruthy()
    const link = screen.getByText('Referral link').nextElementSibling
    expect(link?.textContent).toBe(`${window.location.origin}/auth?ref=TESPABC234`)
    expect(await button('Copy referral link')).toBeTruthy()
    expect(await button('Copy referral code')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Generate referral code' })).toBeNull()
  })

  it('goes to the clipboard', async () => {
    const { user } = openTeam(somebody)
    await user.click(await button('Copy referral link'))
    expect(await screen.findByText('Copied!')).toBeTruthy()
    const copied = await navigator.clipboard.readText()
    expect(copied).toBe(`${window.location.origin}/auth?ref=TESPABC234`)
  })

  it('is made on demand', async () => {
    const { user } = openTeam(aReferralInfo(), {
      'POST /api/referral/generate-code': () => {
        setInfo(aReferralInfo({ referralCode: 'TESPNEW234', asOf: NOW + 1 }))
        return json({ success: true, referralCode: 'TESPNEW234' })
      },
    })
    await user.click(await button('Generate referral code'))
    expect(await said('A new referral code has been created for you.')).toBeTruthy()
    expect(await screen.findByText('TESPNEW234')).toBeTruthy()
  })

  it('is not made when the server fails', async () => {
    const { user } = openTeam(aReferralInfo(), {
      'POST /api/referral/generate-code': () => refusal(500, 'Something went wrong'),
    })
    await user.click(await button('Generate referral code'))
    expect(await said('Error!')).toBeTruthy()
    const text = 'Unable to create referral code. Please try again later.'
    expect(await said(text)).toBeTruthy()
  })

  it('shows its owner why it is frozen', async () => {
    openTeam(aReferralInfo({ ...somebody, frozenReason: 'Many sign-ups from one address' }))
    expect(await screen.findByText(/Many sign-ups from one address/)).toBeTruthy()
  })
})

describe("applying somebody's code", () => {
  const field = () => screen.findByPlaceholderText<HTMLInputElement>('Enter TESP-XXXXX')
  const apply = () => button('Apply Referral Code')

  it('is not offered to who has a referrer', async () => {
    openTeam(somebody)
    await screen.findByText('60.0%')
    expect(screen.queryByText('Enter Referral Code')).toBeNull()
  })

  it('waits for more than blanks', async () => {
    const { user } = openTeam(aReferralInfo())
    expect(await screen.findByLabelText('Enter Referral Code')).toBe(await field())
    expect((await apply()).disabled).toBe(true)
    await user.type(await field(), '   ')
    expect((await apply()).disabled).toBe(true)
    await user.type(await field(), 'T')
    expect((await apply()).disabled).toBe(false)
  })

  it('sends it under a key, and the form goes', async () => {
    const { server, user } = openTeam(aReferralInfo(), {
      'POST /api/referral/apply-code': () => {
        setInfo(aReferralInfo({ referrer: { username: 'linh' }, asOf: NOW + 1 }))
        return json({ success: true, message: 'Referral code applied successfully' })
      },
    })
    await user.type(await field(), ' tesp-abc234 {Enter}')
    expect(await said('Referral code applied successfully')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('Enter Referral Code')).toBeNull())
    const sent = server.sent.find(({ route }) => route === 'POST /api/referral/apply-code')
    expect(JSON.parse(String(sent?.init.body))).toEqual({ referralCode: 'tesp-abc234' })
    expect(sent?.headers.get('Idempotency-Key')).toBeTruthy()
  })

  it('repeats a refusal, also under the field until it is changed', async () => {
    const { user } = openTeam(aReferralInfo(), {
      'POST /api/referral/apply-code': () =>
        json({ success: false, message: 'You cannot use your own referral code' }),
    })
    await user.type(await field(), 'TESPOWN234{Enter}')
    expect(await said('Failed!')).toBeTruthy()
    expect(await said('You cannot use your own referral code')).toBeTruthy()
    await waitFor(async () => expect((await field()).getAttribute('aria-invalid')).toBe('true'))
    await user.type(await field(), 'X')
    expect((await field()).getAttribute('aria-invalid')).toBeNull()
  })

  it('says when it failed', async () => {
    const { user } = openTeam(aReferralInfo(), {
      'POST /api/referral/apply-code': () => refusal(500, 'Something went wrong'),
    })
    await user.type(await field(), 'TESPABC234{Enter}')
    expect(await said('Error!')).toBeTruthy()
    const text = 'Unable to apply referral code. Please try again later.'
    expect(await said(text)).toBeTruthy()
  })
})
