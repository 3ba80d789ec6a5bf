import { screen, waitFor, within } from '@testing-library/react'
import { encode } from 'uqr'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { modulesPath } from '#client/ui/pictures/qr-code.tsx'
import { aReferralInfo } from './testing/a-team.ts'
import { button, leaderInfo, openTeam, startTeam } from './testing/open-team.tsx'

beforeEach(startTeam)
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'share')
})

const link = () => `${window.location.origin}/auth?ref=TESPABC234`
const share = () => button('Share your referral link')

/** Gives the browser a share sheet, which happy-dom does not have. */
function haveShareSheet(answer: () => Promise<void>): ShareData[] {
  const shared: ShareData[] = []
  Object.defineProperty(navigator, 'share', {
    configurable: true,
    value: (data: ShareData) => {
      shared.push(data)
      return answer()
    },
  })
  return shared
}

const fail = (name: string) => () => Promise.reject(new DOMException('No', name))

describe('sharing the invitation', () => {
  it('Share opens the share sheet with the referral link', async () => {
    const shared = haveShareSheet(async () => {})
    const { user } = openTeam(leaderInfo)
    await user.click(await share())
    expect(shared).toEqual([
      { title: 'TESP Network', text: 'Join my team on TESP Network.', url: link() },
    ])
    expect(screen.queryByText('Copied!')).toBeNull()
  })

  it('Share copies the link in a browser without a share sheet', async () => {
    const { user } = openTeam(leaderInfo)
    await user.click(await share())
    expect(await screen.findByText('Copied!')).toBeTruthy()
    expect(await navigator.clipboard.readText()).toBe(link())
  })

  it('Share copies the link when the share sheet does not open', async () => {
    haveShareSheet(fail('NotAllowedError'))
    const { user } = openTeam(leaderInfo)
    await user.click(await share())
    expect(await screen.findByText('Copied!')).toBeTruthy()
  })

  it('a dismissed share sheet copies nothing', async () => {
    const shared = haveShareSheet(fail('AbortError'))
    const { user } = openTeam(leaderInfo)
    await navigator.clipboard.writeText('before')
    await user.click(await share())
    await waitFor(() => expect(shared).toHaveLength(1))
    expect(await navigator.clipboard.readText()).toBe('before')
  })

  it('a frozen code is neither shared nor shown as a QR code', async () => {
    openTeam(aReferralInfo({ ...leaderInfo, frozenReason: 'Many sign-ups' }))
    await screen.findByText(/Many sign-ups/)
    expect(screen.queryByRole('button', { name: /^Share/ })).toBeNull()
    expect(screen.queryByRole('button', { name: 'QR code' })).toBeNull()
  })
})

describe('QR code', () => {
  it('the QR code encodes the referral link and has a name', async () => {
    const { user } = openTeam(leaderInfo)
    await user.click(await button('QR code'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite by QR code' }))
    const image = await dialog.findByRole('img', { name: 'QR code of your referral link' })
    const { data, size } = encode(link(), { ecc: 'M', border: 4 })
    expect(image.getAttribute('viewBox')).toBe(`0 0 ${size} ${size}`)
    expect(image.querySelector('path')?.getAttribute('d')).toBe(modulesPath(data))
    expect(dialog.getByText('TESPABC234')).toBeTruthy()
  })

  it('the path covers exactly the dark modules', () => {
    const { data, size } = encode('https://tesp.example/auth?ref=TESPABC234', { border: 4 })
    const painted = data.map((row) => row.map(() => false))
    for (const [, x, y, width] of modulesPath(data).matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
      for (let at = Number(x); at < Number(x) + Number(width); at++) {
        const row = painted[Number(y)]
        if (row) row[at] = true
      }
    }
    expect(painted).toEqual(data)
    expect(data).toHaveLength(size)
  })
})
