import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { commandsAtom } from '#client/commands/commands.ts'
import { appInfoAtom } from '#client/data/app-info.ts'
import { currentUser, setUser } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { rereadUser } from '#client/data/refresh.ts'
import { standAt } from '#client/screens/auth/testing/new-store.tsx'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { queriesNotified } from '#client/screens/testing/queries.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import type { User } from '#rules/members/account-snapshots'
import { AccountScreen } from './account-screen.tsx'

type Handlers = Parameters<typeof serve>[0]

const appInfo = (flags: string[]) => () => json({ flags, minimumVersion: null, taskLinks: {} })

async function open(member: Partial<User> = {}, handlers: Handlers = {}) {
  startAs(aUser(member))
  await queriesNotified()
  const server = serve({ 'GET /api/app': appInfo([]), ...handlers })
  show(<AccountScreen />)
  const patched = () => {
    const sent = server.sent.find(({ route }) => route === 'PATCH /api/user/profile')
    return sent && JSON.parse(String(sent.init.body))
  }
  return { patched, user: userEvent.setup({ delay: null }) }
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const heading = () => screen.getByRole('heading', { level: 1 }).textContent
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save Changes' })

afterEach(() => {
  act(() => {
    clearToast()
    standAt('/account')
  })
  vi.unstubAllGlobals()
})

describe('account header', () => {
  it('account header shows the username, the e-mail and the referral code', async () => {
    await open({ referralCode: 'TESPAB12CD' })
    expect(heading()).toBe('mai')
    expect(screen.getByText('mai@example.com')).toBeTruthy()
    expect(screen.getByText('TESPAB12CD')).toBeTruthy()
  })

  it('account header prefers the full name to the username', async () => {
    await open({ fullName: 'Mai Nguyễn' })
    expect(heading()).toBe('Mai Nguyễn')
  })

  it('account header shows no badge without a referral code', async () => {
    await open()
    expect(screen.queryByText(/Referral code/)).toBeNull()
  })
})

describe('profile form', () => {
  it('username and e-mail are read-only', async () => {
    await open()
    expect(field('Username')).toMatchObject({ value: 'mai', readOnly: true })
    expect(field('Email')).toMatchObject({ value: 'mai@example.com', readOnly: true })
  })

  it('a saved profile updates the form, the header and the cached user', async () => {
    const updated = aUser({ fullName: 'Mai N.', phone: '+84 90' })
    const { user, patched } = await open({}, { 'PATCH /api/user/profile': () => json(updated) })
    await user.type(field('Full Name'), 'Mai N.  ')
    await user.type(field('Phone Number'), '+84 90')
    await user.click(save())
    await findToast('Profile updated')
    expect(patched()).toEqual({
      username: 'mai',
      email: 'mai@example.com',
      fullName: 'Mai N.  ',
      phone: '+84 90',
    })
    expect(currentUser()).toEqual(updated)
    await waitFor(() => expect(heading()).toBe('Mai N.'))
    await waitFor(() => expect(field('Full Name').value).toBe('Mai N.'))
  })

  it('a saved profile includes the current avatar', async () => {
    const member = { avatar: 'preset:wave' }
    const { user, patched } = await open(member, {
      'PATCH /api/user/profile': () => json(aUser(member)),
    })
    await user.click(save())
    await findToast('Profile updated')
    expect(patched()).toMatchObject({ avatar: 'preset:wave' })
  })

  it('a rejected profile shows the server message and keeps the typed values', async () => {
    const { user } = await open(
      {},
      { 'PATCH /api/user/profile': () => refusal(400, 'Not like this') },
    )
    await user.type(field('Full Name'), 'Mai')
    await user.click(save())
    await findToast('Failed to update profile')
    await findToast('Not like this')
    await waitFor(() => expect(isDisabled(save())).toBe(false))
    expect(field('Full Name').value).toBe('Mai')
    expect(currentUser()?.fullName).toBeNull()
  })

  it('a profile that is saved while offline waits and is not reported as failed', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const { user } = await open({}, { 'PATCH /api/user/profile': lost })
    await user.click(save())
    await waitFor(() => expect(store.get(commandsAtom)).toMatchObject([{ state: 'waiting' }]))
    expect(document.body.textContent).not.toContain('Failed to update profile')
    // A busy button ignores clicks; the command waits before the form is told.
    await waitFor(() => expect(save().getAttribute('aria-busy')).toBeNull())
    await user.click(save())
    await findToast('Your last change is not saved yet')
    vi.restoreAllMocks()
  })

  it('what is typed stays when the profile changes elsewhere', async () => {
    const { user } = await open()
    await user.type(field('Full Name'), 'Mai')
    act(() => setUser(aUser({ phone: '+84 90' })))
    await waitFor(() => expect(field('Phone Number').value).toBe('+84 90'))
    expect(field('Full Name').value).toBe('Mai')
  })

  it('a save keeps what another device has saved since this page was opened', async () => {
    const newer = aUser({ fullName: 'Mai N.', avatar: 'preset:wave' })
    const { user, patched } = await open(
      { fullName: 'Mai', avatar: 'preset:orbit' },
      { 'GET /api/user': () => json(newer), 'PATCH /api/user/profile': () => json(newer) },
    )
    act(rereadUser)
    await waitFor(() => expect(field('Full Name').value).toBe('Mai N.'))
    await user.type(field('Phone Number'), '+84 90')
    await user.click(save())
    await findToast('Profile updated')
    expect(patched()).toMatchObject({
      fullName: 'Mai N.',
      phone: '+84 90',
      avatar: 'preset:wave',
    })
  })

  it('a problem is shown when its field is left, and gone while it is corrected', async () => {
    const { user } = await open()
    await user.type(field('Phone Number'), '1'.repeat(33))
    await user.tab()
    const message = 'Phone number must be at most 32 characters'
    expect(await screen.findByText(message)).toBeTruthy()
    await user.type(field('Phone Number'), '{Backspace}')
    expect(screen.queryByText(message)).toBeNull()
  })

  it('a full name above 100 characters shows an error under its field', async () => {
    const { user, patched } = await open({ fullName: 'x'.repeat(101) })
    await user.click(save())
    expect(await screen.findByText('Full name must be at most 100 characters')).toBeTruthy()
    expect(document.activeElement).toBe(field('Full Name'))
    expect(patched()).toBeUndefined()
  })
})

const rows = () => screen.getAllByRole('listitem').map((row) => within(row).getByRole('link'))

describe('the rows under the profile', () => {
  it('the only tab is Profile, and rows lead to the views', async () => {
    const flags = ['something']
    await open({}, { 'GET /api/app': appInfo(flags) })
    await waitFor(() => expect(store.get(appInfoAtom).data?.flags).toEqual(flags))
    await act(queriesNotified)
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Profile'])
    expect(rows().map((row) => row.getAttribute('href'))).toEqual([
      '/account?view=security',
      '/account?view=notifications',
      '/account?view=data',
    ])
  })

  it('a row opens the identity verification while the flag kyc is on', async () => {
    const { user } = await open({}, { 'GET /api/app': appInfo(['kyc']) })
    await user.click(await screen.findByRole('link', { name: /^KYC Verification/ }))
    expect(await screen.findByText('Unverified')).toBeTruthy()
    expect(heading()).toBe('KYC Verification')
    expect(screen.queryByLabelText('Full Name')).toBeNull()
  })

  it('the address of the identity verification leads to the profile while the flag is off', async () => {
    standAt('/account?view=identity')
    await open()
    await waitFor(() => expect(window.location.search).toBe(''))
    expect(field('Full Name')).toBeTruthy()
  })

  it.each([
    ['security', ['Sign-ins', 'Passkeys and one-time codes']],
    ['notifications', ['Reminders']],
    ['data', ['Your data']],
    ['nonsense', []],
  ])('the address of the view %s shows the panels %j', async (view, panels) => {
    standAt(`/account?view=${view}`)
    await open()
    for (const name of panels) await screen.findByRole('region', { name })
    expect(screen.queryByLabelText('Full Name') === null).toBe(panels.length > 0)
  })
})
