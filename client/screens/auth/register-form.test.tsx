import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { json, lost } from '#client/testing/server.ts'
import { AuthScreen } from './auth-screen.tsx'
import { showInNewStore } from './testing/new-store.tsx'
import { fillIn, isEnabled, isFocused, openRegister, verify } from './testing/register-page.tsx'

beforeEach(() => void vi.unstubAllGlobals())

it('a referral link fills in and checks its code', async () => {
  const { field, requests } = await openRegister({}, '/auth?ref=tesp-ab12cd')
  expect(field('Referral code').value).toBe('tesp-ab12cd')
  expect(await screen.findByText('Code is valid')).toBeTruthy()
  expect(requests.at(-1)?.path).toBe('/api/check/referral-code/TESPAB12CD')
})

it('a referral link names the inviter', async () => {
  const answer = json({ valid: true, message: 'Code is valid', inviter: 'linh' })
  await openRegister({ 'GET /api/check/referral-code/:code': answer }, '/auth?ref=TESPAB12CD')
  expect(await screen.findByText('Code is valid · Invited by linh')).toBeTruthy()
})

it('a referral link says who invites and what the inviter will see', async () => {
  const answer = json({ valid: true, message: 'Code is valid', inviter: 'linh' })
  await openRegister({ 'GET /api/check/referral-code/:code': answer }, '/auth?ref=TESPAB12CD')
  expect(await screen.findByText('linh invites you')).toBeTruthy()
  const seen =
    'linh will see your username and email address in the team list, and how much you mine each week.'
  expect(screen.getByText(seen)).toBeTruthy()
})

it('a typed code says what its owner will see', async () => {
  const answer = json({ valid: true, message: 'Code is valid', inviter: 'linh' })
  const page = await openRegister({ 'GET /api/check/referral-code/:code': answer })
  await page.enter('Referral code', 'TESPAB12CD')
  expect(await screen.findByText(/^linh will see your username and email/)).toBeTruthy()
})

it.each([
  ['of a code whose owner is not named', json({ valid: true, message: 'Code is valid' })],
  ['that could not be checked', lost],
])('a referral link %s says what the owner will see', async (_, answer) => {
  await openRegister({ 'GET /api/check/referral-code/:code': answer }, '/auth?ref=TESPAB12CD')
  expect(await screen.findByText(/^The owner of the code will see your username and/)).toBeTruthy()
})

it('the link of an unknown code says that a code is not needed, and leaves its field empty', async () => {
  const check = ({ path }: { path: string }) =>
    path.endsWith('TESPAB12CD')
      ? json({ valid: false, message: 'No such code' })
      : json({ valid: true, message: 'Code is valid', inviter: 'linh' })
  const page = await openRegister(
    { 'GET /api/check/referral-code/:code': check },
    '/auth?ref=TESPAB12CD',
  )
  const note = () => screen.queryByText(/^The code of this link is not valid/)
  await waitFor(() => expect(note()).toBeTruthy())
  await waitFor(() => expect(page.field('Referral code').value).toBe(''))
  await fillIn(page)
  expect(note()).toBeTruthy()
  await page.enter('Referral code', 'TESPXY34ZW')
  expect(await screen.findByText('linh invites you')).toBeTruthy()
  expect(note()).toBeNull()
})

it('the form is three parts, each done once its fields are right', async () => {
  const page = await openRegister()
  const parts = () => screen.getAllByRole('group').map(({ firstChild }) => firstChild?.textContent)
  expect(parts()).toEqual(['1Name and email', '2Code from the email', '3Choose a password'])
  await fillIn(page)
  await waitFor(() =>
    expect(parts()).toEqual([
      'Name and emailDone',
      '2Code from the email',
      'Choose a passwordDone',
    ]),
  )
})

it('a username is checked from three characters on, after a pause in typing', async () => {
  const { user, field, requests } = await openRegister()
  await user.type(field('Username'), 'an')
  await act(() => new Promise((resolve) => setTimeout(resolve, 500)))
  expect(requests).toEqual([])
  await user.type(field('Username'), 'h')
  expect(await screen.findByText('Name is free')).toBeTruthy()
  expect(requests.map(({ path }) => path)).toEqual(['/api/check/username/anh'])
})

it.each([{ isComposing: true }, { keyCode: 229 }])(
  'Enter of an input method (%o) does not submit the form',
  async (ofInputMethod) => {
    const page = await openRegister()
    fireEvent.keyDown(page.field('Username'), { key: 'Enter', ...ofInputMethod })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(page.field('Username').getAttribute('aria-invalid')).toBeNull()
    fireEvent.keyDown(page.field('Username'), { key: 'Enter' })
    await waitFor(() => expect(page.field('Username').getAttribute('aria-invalid')).toBe('true'))
  },
)

it('an e-mail address is checked only once it contains an @', async () => {
  const { user, field, routes } = await openRegister()
  await user.type(field('Email'), 'anh')
  await act(() => new Promise((resolve) => setTimeout(resolve, 500)))
  expect(routes()).toEqual([])
  await user.type(field('Email'), '@example.com')
  expect(await screen.findByText('Address is free')).toBeTruthy()
})

it('a taken username marks its field and asks for another one', async () => {
  const page = await openRegister({
    'GET /api/check/username/:username': json({ available: false, message: 'Name is taken' }),
  })
  await page.user.type(page.field('Username'), 'anh')
  expect(await screen.findByText('Name is taken')).toBeTruthy()
  expect(page.field('Username').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Choose another username')).toBeTruthy()
})

it('a failed availability check is reported and leaves the field unmarked', async () => {
  const page = await openRegister({
    'GET /api/check/username/:username': lost,
    'GET /api/check/email/:email': lost,
    'GET /api/check/referral-code/:code': lost,
  })
  await page.user.type(page.field('Username'), 'anh')
  await page.enter('Email', 'anh@example.com')
  await page.enter('Referral code', 'TESPAB12CD')
  expect(await screen.findByText('Error checking username')).toBeTruthy()
  expect(await screen.findByText('Error checking email')).toBeTruthy()
  expect(page.button('Send OTP').disabled).toBe(true)
  expect(page.field('Username').hasAttribute('aria-invalid')).toBe(false)
  await waitFor(() => expect(page.routes()).toContain('GET /api/check/referral-code/:code'))
  await waitFor(() => expect(screen.queryByText('Checking…')).toBeNull())
})

it('Enter marks every invalid field and focuses the first', async () => {
  const page = await openRegister()
  await page.user.type(page.field('Username'), 'anh')
  await page.enter('Password', 'short')
  await page.user.type(page.field('Confirm password'), 'other{Enter}')
  expect(await screen.findByText('Invalid email address')).toBeTruthy()
  expect(screen.getByText('Password must be at least 8 characters')).toBeTruthy()
  expect(screen.getByText("Passwords don't match")).toBeTruthy()
  expect(screen.getByText('OTP code must be at least 6 characters')).toBeTruthy()
  await isFocused(page.field('Email'))
})

it('the Login tab hides the form and loses neither what was typed nor the verified address', async () => {
  const page = await openRegister()
  await page.enter('Username', 'anh')
  await page.enter('Email', 'anh@example.com')
  await isEnabled(page, 'Send OTP')
  await verify(page)
  await page.user.click(screen.getByRole('tab', { name: 'Login' }))
  expect(screen.getAllByRole('tabpanel')).toHaveLength(1)
  expect(screen.queryByRole('textbox', { name: 'Username' })).toBeNull()
  expect(page.field('Username').closest('[role=tabpanel]')?.hasAttribute('hidden')).toBe(true)
  await page.user.click(screen.getByRole('tab', { name: 'Register' }))
  expect(screen.getByRole('textbox', { name: 'Username' })).toHaveProperty('value', 'anh')
  expect(screen.getByText('Email address verified')).toBeTruthy()
})

it('a page that the phone unloads keeps all but the password, and the way back', async () => {
  const page = await openRegister()
  window.history.replaceState({ from: '/wallet' }, '')
  await fillIn(page)
  await page.enter('Referral code', 'TESPAB12CD')
  await page.user.tab()
  cleanup()
  expect(window.history.state).toEqual({
    from: '/wallet',
    names: { username: 'anh', email: 'anh@example.com', referralCode: 'TESPAB12CD' },
  })
  showInNewStore(<AuthScreen />)
  expect(screen.getByRole('tab', { name: 'Register', selected: true })).toBeTruthy()
  expect(page.field('Username').value).toBe('anh')
  expect(page.field('Email').value).toBe('anh@example.com')
  expect(page.field('Referral code').value).toBe('TESPAB12CD')
  expect(page.field('Password').value).toBe('')
})

it('a page that was left on the Login tab comes back there', async () => {
  const page = await openRegister()
  await fillIn(page)
  await page.user.click(screen.getByRole('tab', { name: 'Login' }))
  cleanup()
  showInNewStore(<AuthScreen />)
  expect(screen.getByRole('tab', { name: 'Login', selected: true })).toBeTruthy()
})

it('a page in which nothing was typed opens on Login again', async () => {
  const page = await openRegister()
  await page.user.click(page.field('Username'))
  await page.user.tab()
  cleanup()
  showInNewStore(<AuthScreen />)
  expect(screen.getByRole('tab', { name: 'Login', selected: true })).toBeTruthy()
})
