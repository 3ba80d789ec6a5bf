import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { type Handlers, json, lost, serve } from '#client/testing/server.ts'
import { Toaster } from '#client/ui/toasts/toaster.tsx'
import { AuthScreen } from './auth-screen.tsx'
import { showInNewStore, standAt } from './testing/new-store.tsx'
import { noteOf } from './testing/register-page.tsx'

const available: Handlers = {
  'GET /api/check/email/:email': json({ available: true, message: 'Address is free' }),
}

function open(handlers: Handlers = {}, path = '/auth') {
  standAt(path)
  const { sent: requests } = serve({ ...available, ...handlers })
  const user = showInNewStore(
    <>
      <AuthScreen />
      <Toaster />
    </>,
  )
  return { user, requests }
}

const tab = (name: string) => screen.getByRole('tab', { name })
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const openRegister = ({ user }: ReturnType<typeof open>) => user.click(tab('Register'))

beforeEach(() => {
  vi.unstubAllGlobals()
})

it('the auth screen shows name and tagline above two tabs and starts on Login', () => {
  open()
  const header = within(screen.getByRole('banner'))
  expect(header.getByText('TESP Network')).toBeTruthy()
  expect(header.getByText('AI-Powered Mining')).toBeTruthy()
  expect(screen.getByRole('banner').querySelector('svg')).toBeTruthy()
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Login',
    'Register',
  ])
  expect(tab('Login').getAttribute('aria-selected')).toBe('true')
})

it('a visitor reads what this is, and finds the way to an account below Login', async () => {
  const { user } = open()
  expect(screen.getByText(/^One tap starts a simulated 24‑hour mining session/)).toBeTruthy()
  await user.click(button('Create an account'))
  expect(tab('Register').getAttribute('aria-selected')).toBe('true')
  expect(document.activeElement).toBe(tab('Register'))
})

it('Login has its name and Remember me, but no password, after a look at Register', async () => {
  const { user } = open()
  const login = () => within(screen.getByRole('tabpanel', { name: 'Login' }))
  await user.type(login().getByLabelText('Username or email'), 'anh')
  await user.type(login().getByLabelText('Password'), 'secret123')
  await user.click(login().getByRole('checkbox', { name: 'Remember me' }))
  await user.click(tab('Register'))
  await user.click(tab('Login'))
  expect(login().getByLabelText('Username or email')).toHaveProperty('value', 'anh')
  expect(login().getByLabelText('Password')).toHaveProperty('value', '')
  expect(login().getByRole('checkbox').getAttribute('aria-checked')).toBe('true')
})

it('a browser that refuses cookies is told that nobody can sign in there', () => {
  const note = () => screen.queryByText(/^Your browser refuses cookies/)
  open()
  expect(note()).toBeNull()
  cleanup()
  const cookies = vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false)
  open()
  expect(note()).not.toBeNull()
  cookies.mockRestore()
})

it('the register form shows the password rules and reveals the password on demand', async () => {
  const opened = open()
  await openRegister(opened)
  expect(screen.getByText('At least 8 characters, with uppercase letters and numbers')).toBeTruthy()
  const [show] = screen.getAllByRole('button', { name: 'Show password' })
  await opened.user.click(show as HTMLElement)
  expect(field('Password').type).toBe('text')
  expect(field('Confirm password').type).toBe('password')
})

it('each field says what Send OTP and Register wait for', async () => {
  const opened = open()
  await openRegister(opened)
  expect(noteOf(field('Username'))).toBe('At least 3 characters')
  expect(noteOf(field('OTP code'))).toBe('First enter an available email in step 1')
  await opened.user.type(field('Email'), 'anh@example.com')
  await waitFor(() => expect(noteOf(field('OTP code'))).toBe('Press Send OTP to get the code'))
})

it('hints explain why Register is disabled', async () => {
  const opened = open({
    'GET /api/check/username/:username': json({ available: false, message: 'Taken' }),
    'GET /api/check/email/:email': json({ available: false, message: 'In use' }),
  })
  await openRegister(opened)
  expect(screen.getByText('Verify the OTP before registering')).toBeTruthy()
  await opened.user.type(field('Username'), 'anh')
  await opened.user.type(field('Email'), 'anh@example.com')
  expect(await screen.findByText('Choose another username')).toBeTruthy()
  expect(await screen.findByText('The e-mail is invalid or already in use')).toBeTruthy()
  expect(button('Register').disabled).toBe(true)
})

it('Send OTP rejects an invalid e-mail address without a request', async () => {
  const opened = open()
  await openRegister(opened)
  await opened.user.type(field('Email'), 'anh@')
  await waitFor(() => expect(isDisabled(button('Send OTP'))).toBe(false))
  await opened.user.click(button('Send OTP'))
  expect(await findToast('Please enter a valid email address')).toBeTruthy()
  expect(opened.requests.map(({ route }) => route)).not.toContain('POST /api/verify/send-otp')
})

it('Send OTP without an answer shows the fallback message', async () => {
  const opened = open({ 'POST /api/verify/send-otp': lost })
  await openRegister(opened)
  await opened.user.type(field('Email'), 'anh@example.com')
  await waitFor(() => expect(isDisabled(button('Send OTP'))).toBe(false))
  await opened.user.click(button('Send OTP'))
  expect(await findToast('Could not send OTP')).toBeTruthy()
})

it('Verify rejects a code of blanks without a request', async () => {
  const opened = open()
  await openRegister(opened)
  await opened.user.type(field('Email'), 'anh@example.com')
  await opened.user.type(field('OTP code'), '      ')
  await opened.user.click(button('Verify'))
  expect(await findToast('Please enter OTP code')).toBeTruthy()
  expect(opened.requests.map(({ route }) => route)).not.toContain('POST /api/verify/verify-otp')
})

it('an invalid referral code is reported under its field', async () => {
  const opened = open({
    'GET /api/check/referral-code/:code': json({ valid: false, message: 'No such code' }),
  })
  await openRegister(opened)
  await opened.user.type(field('Referral code'), 'TESPAB12CD')
  expect(await screen.findByText('No such code')).toBeTruthy()
})
