import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { APP_INFO_URL, queryClient } from '#client/data/query-cache.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { NOW } from '#client/testing/fixtures.ts'
import { json, refusal } from '#client/testing/server.ts'
import { aReferralInfo } from './testing/a-team.ts'
import { button, leaderInfo, openTeam, setInfo, startTeam } from './testing/open-team.tsx'

beforeEach(startTeam)
afterEach(() => void vi.unstubAllGlobals())

describe("the member's own referral code", () => {
  it('the referral code and its link are shown with copy buttons', async () => {
    openTeam(leaderInfo)
    expect(await screen.findByText('TESPABC234')).toBeTruthy()
    const link = screen.getByText('Referral link').nextElementSibling
    expect(link?.textContent).toBe(`${window.location.origin}/auth?ref=TESPABC234`)
    expect(await button('Copy referral link')).toBeTruthy()
    expect(await button('Copy referral code')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Generate referral code' })).toBeNull()
  })

  it('Copy referral link copies the link to the clipboard', async () => {
    const { user } = openTeam(leaderInfo)
    await user.click(await button('Copy referral link'))
    expect(await screen.findByText('Copied!')).toBeTruthy()
    const copied = await navigator.clipboard.readText()
    expect(copied).toBe(`${window.location.origin}/auth?ref=TESPABC234`)
  })

  it('Generate referral code creates and shows a code', async () => {
    const { user } = openTeam(aReferralInfo(), {
      'POST /api/referral/generate-code': () => {
        setInfo(aReferralInfo({ referralCode: 'TESPNEW234', asOf: NOW + 1 }))
        return json({ success: true, referralCode: 'TESPNEW234' })
      },
    })
    await user.click(await button('Generate referral code'))
    expect(await findToast('A new referral code has been created for you.')).toBeTruthy()
    expect(await screen.findByText('TESPNEW234')).toBeTruthy()
    expect(currentUser()?.referralCode).toBe('TESPNEW234')
    const own = screen.getByText('TESPNEW234').closest('section')
    expect(document.activeElement).toBe(own)
  })

  it('a failed code generation shows the fallback message', async () => {
    const { user } = openTeam(aReferralInfo(), {
      'POST /api/referral/generate-code': () => refusal(500, 'Something went wrong'),
    })
    await user.click(await button('Generate referral code'))
    expect(await findToast('Error!')).toBeTruthy()
    const text = 'Unable to create referral code. Please try again later.'
    expect(await findToast(text)).toBeTruthy()
  })

  it('a frozen code shows the reason to its owner, and the way to help', async () => {
    const app = { flags: [], taskLinks: {}, links: { support: 'mailto:help@tesp.example' } }
    const info = aReferralInfo({ ...leaderInfo, frozenReason: 'Many sign-ups from one address' })
    queryClient.removeQueries({ queryKey: [APP_INFO_URL] })
    openTeam(info, { 'GET /api/app': json(app) })
    expect(await screen.findByText(/Many sign-ups from one address/)).toBeTruthy()
    const support = await screen.findByRole('link', { name: 'Contact support' })
    expect(support.getAttribute('href')).toBe('mailto:help@tesp.example')
  })
})

describe('the inviter', () => {
  const CHECK = 'GET /api/check/referral-code/:code'
  const field = () => screen.findByPlaceholderText<HTMLInputElement>('Enter TESP-XXXXX')

  it('the owner of a code is named while it is typed', async () => {
    const { user } = openTeam(aReferralInfo(), {
      [CHECK]: () => json({ valid: true, message: 'Referral code is valid', inviter: 'linh' }),
    })
    await user.type(await field(), 'tesp-abc234')
    expect(await screen.findByText('Referral code is valid · Invited by linh')).toBeTruthy()
  })

  it('an unknown code is marked before it is applied', async () => {
    const { user } = openTeam(aReferralInfo(), {
      [CHECK]: () => json({ valid: false, message: 'Referral code does not exist' }),
    })
    await user.type(await field(), 'TESPZZZZZZ')
    expect(await screen.findByText('Referral code does not exist')).toBeTruthy()
    expect((await field()).getAttribute('aria-invalid')).toBe('true')
  })

  it('the inviter is shown after the code is applied', async () => {
    openTeam(leaderInfo)
    const inviter = await screen.findByRole('region', { name: 'Invited by' })
    expect(inviter.textContent).toContain('linh')
    expect(document.activeElement).toBe(document.body)
  })
})

describe('applying a referral code', () => {
  const field = () => screen.findByPlaceholderText<HTMLInputElement>('Enter TESP-XXXXX')
  const apply = () => button('Apply Referral Code')

  it('members with a referrer see no form for a referral code', async () => {
    openTeam(leaderInfo)
    await screen.findByText('60.0%')
    expect(screen.queryByText('Enter Referral Code')).toBeNull()
  })

  it('Apply stays disabled until the code is not blank', async () => {
    const { user } = openTeam(aReferralInfo())
    expect(await screen.findByLabelText('Enter Referral Code')).toBe(await field())
    expect((await apply()).disabled).toBe(true)
    await user.type(await field(), '   ')
    expect((await apply()).disabled).toBe(true)
    await user.type(await field(), 'T')
    expect((await apply()).disabled).toBe(false)
  })

  it('what the owner of a code will see is said before and while one is typed', async () => {
    const { user } = openTeam(aReferralInfo(), {
      'GET /api/check/referral-code/:code': json({
        valid: true,
        message: 'Referral code is valid',
      }),
    })
    const told = () => screen.findByText(/Its owner will see your username and email address/)
    await field()
    expect(await told()).toBeTruthy()
    await user.type(await field(), 'TESPABC234')
    await screen.findByText('Referral code is valid')
    expect(await told()).toBeTruthy()
  })

  it('an applied code is sent with an idempotency key and removes the form', async () => {
    const { server, user } = openTeam(aReferralInfo(), {
      'POST /api/referral/apply-code': () => {
        setInfo(aReferralInfo({ referrer: { username: 'linh' }, asOf: NOW + 1 }))
        return json({ success: true, message: 'Referral code applied successfully' })
      },
    })
    await user.type(await field(), ' tesp-abc234 {Enter}')
    expect(await findToast('Referral code applied successfully')).toBeTruthy()
    await waitFor(() => expect(screen.queryByText('Enter Referral Code')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Invited by' }))
    const sent = server.sent.find(({ route }) => route === 'POST /api/referral/apply-code')
    expect(JSON.parse(String(sent?.init.body))).toEqual({ referralCode: 'tesp-abc234' })
    expect(sent?.headers.get('Idempotency-Key')).toBeTruthy()
  })

  it('a rejected code shows the server message under its field until it is changed', async () => {
    const { user } = openTeam(aReferralInfo(), {
      'POST /api/referral/apply-code': () =>
        json({ success: false, message: 'You cannot use your own referral code' }),
    })
    await user.type(await field(), 'TESPOWN234{Enter}')
    expect(await findToast('Failed!')).toBeTruthy()
    expect(await findToast('You cannot use your own referral code')).toBeTruthy()
    await waitFor(async () => expect((await field()).getAttribute('aria-invalid')).toBe('true'))
    await user.type(await field(), 'X')
    await waitFor(async () => expect((await field()).getAttribute('aria-invalid')).toBeNull())
  })

  it('a failed application shows the fallback message', async () => {
    const { user } = openTeam(aReferralInfo(), {
      'POST /api/referral/apply-code': () => refusal(500, 'Something went wrong'),
    })
    await user.type(await field(), 'TESPABC234{Enter}')
    expect(await findToast('Error!')).toBeTruthy()
    const text = 'Unable to apply referral code. Please try again later.'
    expect(await findToast(text)).toBeTruthy()
  })
})
