import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toast.tsx'
import type { User } from '#rules/snapshots'
import { AccountScreen } from './account-screen.tsx'

type Handlers = Parameters<typeof serve>[0]

const answering = (flags: string[]) => () => json({ flags, minimumVersion: null, taskLinks: {} })

async function open(member: Partial<User> = {}, handlers: Handlers = {}) {
  startAs(aUser(member))
  // Who is signed in is told to the atoms a moment later.
  await new Promise((resolve) => setTimeout(resolve))
  const server = serve({ 'GET /api/app': answering([]), ...handlers })
  show(<AccountScreen />)
  const patched = () => {
    const sent = server.sent.find(({ route }) => route === 'PATCH /api/user/profile')
    return sent && JSON.parse(String(sent.init.body))
  }
  return { patched, user: userEvent.setup({ delay: null }) }
}

const said = (text: string | RegExp) => screen.findByText(text, { selector: 'ol li *' })
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const heading = () => screen.getByRole('heading', { level: 1 }).textContent
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save Changes' })

afterEach(() => {
  act(() => clearToast())
  vi.unstubAllGlobals()
})

describe('the head of the account', () => {
  it('shows the user name, the e-mail and the referral code', async () => {
    await open({ referralCode: 'TESPAB12CD' })
    expect(heading()).toBe('mai')
    expect(screen.getByText('mai@example.com')).toBeTruthy()
    expect(screen.getByText('TESPAB12CD')).toBeTruthy()
  })

  it('prefers the full name', async () => {
    await open({ fullName: 'Mai Nguyễn' })
    expect(heading()).toBe('Mai Nguyễn')
  })

  it('has no badge where there is no code', async () => {
    await open()
    expect(screen.queryByText(/Referral code/)).toBeNull()
  })
})

describe('the profile', () => {
  it('lets user name and e-mail be read only', async () => {
    await open()
    expect(field('Username')).toMatchObject({ value: 'mai', readOnly: true })
    expect(field('Email')).toMatchObject({ value: 'mai@example.com', readOnly: true })
  })

  it('saves, and shows the updated member everywhere', async () => {
    const updated = aUser({ fullName: 'Mai N.', phone: '+84 90' })
    const { user, patched } = await open({}, { 'PATCH /api/user/profile': () => json(updated) })
    await user.type(field('Full Name'), 'Mai N.  ')
    await user.type(field('Phone Number'), '+84 90')
    await user.click(save())
    await said('Profile updated')
    expect(patched()).toEqual({
      username: 'mai',
      email: 'mai@example.com',
      fullName: 'Mai N.  ',
      phone: '+84 90',
    })
    expect(currentUser()).toEqual(updated)
    expect(heading()).toBe('Mai N.')
    await waitFor(() => expect(field('Full Name').value).toBe('Mai N.'))
  })

  it('sends the avatar along where there is one', async () => {
    const member = { avatar: 'preset:wave' }
    const { user, patched } = await open(member, {
      'PATCH /api/user/profile': () => json(aUser(member)),
    })
    await user.click(save())
    await said('Profile updated')
    expect(patched()).toMatchObject({ avatar: 'preset:wave' })
  })

  it('repeats why the server refused and keeps what was typed', async () => {
    const { user } = await open(
      {},
      { 'PATCH /api/user/profile': () => refusal(400, 'Not like this') },
    )
    await user.type(field('Full Name'), 'Mai')
    await user.click(save())
    await said('Failed to update profile')
    await said('Not like this')
    expect(field('Full Name').value).toBe('Mai')
    expect(currentUser()?.fullName).toBeNull()
  })

  it('says that nobody answered', async () => {
    const { user } = await open({}, { 'PATCH /api/user/profile': lost })
    await user.click(save())
    await said('Failed to update profile')
    await said(/No answer/)
  })

  it('refuses a name that is too long under its field', async () => {
    const { user, patched } = await open({ fullName: 'x'.repeat(101) })
    await user.click(save())
    expect(await screen.findByText('Full name must be at most 100 characters')).toBeTruthy()
    expect(patched()).toBeUndefined()
  })
})

describe('the tabs', () => {
  it('are Profile alone where the flag kyc is off', async () => {
    await open({}, { 'GET /api/app': answering(['something']) })
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Profile'])
  })

  it('lead to the identity verification where the flag kyc is on', async () => {
    const { user } = await open({}, { 'GET /api/app': answering(['kyc']) })
    await user.click(await screen.findByRole('tab', { name: 'KYC Verification' }))
    expect(screen.getByText('Unverified')).toBeTruthy()
    expect(screen.queryByLabelText('Full Name')).toBeNull()
  })
})
