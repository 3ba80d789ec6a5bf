import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { type Handlers, json, lost, refusal, serve } from '#client/testing/server.ts'
import { Toaster } from '#client/ui/toaster.tsx'
import { AuthScreen } from './auth-screen.tsx'
import { member, showInNewStore, standAt } from './testing/new-store.tsx'

const free: Handlers = {
  'GET /api/check/username/:username': json({ available: true, message: 'Name is free' }),
  'GET /api/check/email/:email': json({ available: true, message: 'Address is free' }),
  'GET /api/check/referral-code/:code': json({ valid: true, message: 'Code is valid' }),
  'POST /api/verify/send-otp': json({ ok: true, message: '' }),
  'POST /api/verify/verify-otp': json({ ok: true, message: '' }),
  'POST /api/register': json(member),
}

async function open(handlers: Handlers = {}, path = '/auth') {
  standAt(path)
  const { sent: requests } = serve({ ...free, ...handlers })
  const user = showInNewStore(
    <>
      <AuthScreen />
      <Toaster />
    </>,
  )
  if (path === '/auth') await user.click(screen.getByRole('tab', { name: 'Register' }))
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
  const routes = () => requests.map(({ route }) => route)
  return { user, requests, routes, button, field }
}

type Page = Awaited<ReturnType<typeof open>>

async function fillIn({ user, field }: Page) {
  await user.type(field('Username'), 'anh')
  await user.type(field('Email'), 'anh@example.com')
  await user.type(field('Password'), 'secret123')
  await user.type(field('Confirm password'), 'secret123')
  await screen.findByText('Name is free')
  await screen.findByText('Address is free')
}

const noteOf = (input: HTMLElement) =>
  document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent
const isFocused = (input: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(input))
const isEnabled = ({ button }: Page, name: string) =>
  waitFor(() => expect(button(name).disabled).toBe(false))

/** The focus moves to the next field a moment after each toast. */
/** The sixth digit verifies the code. */
async function verify({ user, button, field }: Page) {
  await user.click(button('Send OTP'))
  await findToast('OTP code has been sent to your email')
  await isFocused(field('OTP code'))
  await user.type(field('OTP code'), '123456')
  await findToast('OTP code has been verified successfully')
  await isFocused(field('Password'))
}

async function register(page: Page) {
  await isEnabled(page, 'Register')
  await page.user.click(page.button('Register'))
}

describe('register form', () => {
  beforeEach(() => {
    vi.unstubAllGlobals()
  })

  it('a referral link fills in and checks its code', async () => {
    const { field, requests } = await open({}, '/auth?ref=tesp-ab12cd')
    expect(field('Referral code').value).toBe('tesp-ab12cd')
    expect(await screen.findByText('Code is valid')).toBeTruthy()
    expect(requests.at(-1)?.path).toBe('/api/check/referral-code/TESPAB12CD')
  })

  it('a referral link names the inviter', async () => {
    const answer = json({ valid: true, message: 'Code is valid', inviter: 'linh' })
    await open({ 'GET /api/check/referral-code/:code': answer }, '/auth?ref=TESPAB12CD')
    expect(await screen.findByText('Code is valid · Invited by linh')).toBeTruthy()
  })

  it('a username is checked from three characters on, after a pause in typing', async () => {
    const { user, field, requests } = await open()
    await user.type(field('Username'), 'an')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(requests).toEqual([])
    await user.type(field('Username'), 'h')
    expect(await screen.findByText('Name is free')).toBeTruthy()
    expect(requests.map(({ path }) => path)).toEqual(['/api/check/username/anh'])
  })

  it('an e-mail address is checked only once it contains an @', async () => {
    const { user, field, routes } = await open()
    await user.type(field('Email'), 'anh')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(routes()).toEqual([])
    await user.type(field('Email'), '@example.com')
    expect(await screen.findByText('Address is free')).toBeTruthy()
  })

  it('a taken username marks its field and asks for another one', async () => {
    const page = await open({
      'GET /api/check/username/:username': json({ available: false, message: 'Name is taken' }),
    })
    await page.user.type(page.field('Username'), 'anh')
    expect(await screen.findByText('Name is taken')).toBeTruthy()
    expect(page.field('Username').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('Choose another username')).toBeTruthy()
  })

  it('a failed availability check is reported and leaves the field unmarked', async () => {
    const page = await open({
      'GET /api/check/username/:username': lost,
      'GET /api/check/email/:email': lost,
      'GET /api/check/referral-code/:code': lost,
    })
    await page.user.type(page.field('Username'), 'anh')
    await page.user.type(page.field('Email'), 'anh@example.com')
    await page.user.type(page.field('Referral code'), 'TESPAB12CD')
    expect(await screen.findByText('Error checking username')).toBeTruthy()
    expect(await screen.findByText('Error checking email')).toBeTruthy()
    expect(page.button('Send OTP').disabled).toBe(true)
    expect(page.field('Username').hasAttribute('aria-invalid')).toBe(false)
    await waitFor(() => expect(page.routes()).toContain('GET /api/check/referral-code/:code'))
    await waitFor(() => expect(screen.queryByText('Checking…')).toBeNull())
  })

  it('Send OTP is enabled for an available address and becomes Resend OTP', async () => {
    const page = await open()
    expect(page.button('Send OTP').disabled).toBe(true)
    await page.user.type(page.field('Email'), 'anh@example.com')
    await isEnabled(page, 'Send OTP')
    await page.user.click(page.button('Send OTP'))
    expect(await findToast('OTP code has been sent to your email')).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Resend OTP' })).toBeTruthy()
    await isFocused(page.field('OTP code'))
    expect(page.button('Resend OTP').textContent).toMatch(/^Resend OTPin (60|5\d) s$/)
    expect(page.button('Resend OTP').disabled).toBe(true)
  })

  it('a request too soon after another counts down on the button, without a toast', async () => {
    const page = await open({
      'POST /api/verify/send-otp': refusal(429, 'Please wait a minute', 'otp_too_soon', {
        'Retry-After': '37',
      }),
    })
    await page.user.type(page.field('Email'), 'anh@example.com')
    await isEnabled(page, 'Send OTP')
    await page.user.click(page.button('Send OTP'))
    expect(await screen.findByText('Please wait a minute')).toBeTruthy()
    expect(screen.queryByText('Please wait a minute', { selector: 'li *' })).toBeNull()
    // The countdown may have begun before the test looks at it.
    expect(page.button('Resend OTP').textContent).toMatch(/^Resend OTPin 3\d s$/)
    expect(isDisabled(page.button('Resend OTP'))).toBe(true)
    await page.user.type(page.field('Email'), 'x')
    await waitFor(() => expect(page.button('Send OTP').textContent).toBe('Send OTP'))
  })

  it('Verify is offered from six characters on until the address is verified', async () => {
    const page = await open()
    await page.user.type(page.field('OTP code'), '12345')
    expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull()
    await page.user.clear(page.field('OTP code'))
    await page.user.type(page.field('Email'), 'anh@example.com')
    await isEnabled(page, 'Send OTP')
    await verify(page)
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull())
  })

  it('Verify distinguishes a wrong code from a request without an answer', async () => {
    let reply = () => refusal(400, '')
    const page = await open({ 'POST /api/verify/verify-otp': () => reply() })
    await page.user.type(page.field('Email'), 'anh@example.com')
    await page.user.type(page.field('OTP code'), '000000')
    expect(await findToast('Invalid OTP code')).toBeTruthy()
    reply = lost
    await isEnabled(page, 'Verify')
    await page.user.click(page.button('Verify'))
    expect(await findToast('Could not verify OTP')).toBeTruthy()
  })

  it('a wrong code is marked at its field until it is changed, and sent once', async () => {
    const page = await open({
      'POST /api/verify/verify-otp': refusal(400, 'Invalid OTP code', 'otp_invalid'),
    })
    await page.user.type(page.field('Email'), 'anh@example.com')
    await isEnabled(page, 'Send OTP')
    await page.user.type(page.field('OTP code'), '000000')
    const marked = () => page.field('OTP code').getAttribute('aria-invalid')
    await waitFor(() => expect(marked()).toBe('true'))
    expect(noteOf(page.field('OTP code'))).toBe('Invalid OTP code')
    await page.user.type(page.field('OTP code'), '{Backspace}')
    expect(marked()).toBeNull()
    await page.user.type(page.field('OTP code'), '0')
    await waitFor(() => expect(marked()).toBe('true'))
    expect(page.routes().filter((route) => route.endsWith('verify-otp'))).toHaveLength(1)
  })

  it('a used-up code offers a new one, which clears the field', async () => {
    const message = 'This code is used up. Request a new one.'
    const page = await open({
      'POST /api/verify/verify-otp': refusal(400, message, 'otp_used_up'),
    })
    await page.user.type(page.field('Email'), 'anh@example.com')
    await isEnabled(page, 'Send OTP')
    await page.user.type(page.field('OTP code'), '000000')
    await waitFor(() => expect(noteOf(page.field('OTP code'))).toBe(message))
    await page.user.type(page.field('OTP code'), '{Backspace}')
    expect(noteOf(page.field('OTP code'))).toBe(message)
    await page.user.click(page.button('Send OTP'))
    await findToast('OTP code has been sent to your email')
    await waitFor(() => expect(page.field('OTP code').value).toBe(''))
    expect(noteOf(page.field('OTP code'))).toBe('Enter the 6 digits from the email')
  })

  it('Register is enabled once username and address are available and the address is verified', async () => {
    const page = await open()
    await fillIn(page)
    expect(page.button('Register').disabled).toBe(true)
    await verify(page)
    await isEnabled(page, 'Register')
    await page.user.type(page.field('Email'), 'x')
    await waitFor(() => expect(page.button('Register').disabled).toBe(true))
  })

  it('a registration signs the member in', async () => {
    const page = await open()
    await fillIn(page)
    await verify(page)
    await register(page)
    expect(await findToast('Registration successful')).toBeTruthy()
    expect(await findToast('Your account has been created successfully!')).toBeTruthy()
    expect(page.requests.at(-1)?.body).toEqual({
      username: 'anh',
      email: 'anh@example.com',
      password: 'secret123',
    })
    expect(currentUser()).toEqual(member)
  })

  it('submitting an unverified code verifies it before the registration', async () => {
    const page = await open()
    await fillIn(page)
    await page.user.type(page.field('OTP code'), '123456{Enter}')
    expect(await findToast('Registration successful')).toBeTruthy()
    expect(page.routes().slice(-2)).toEqual(['POST /api/verify/verify-otp', 'POST /api/register'])
  })

  it('no registration is sent when the verification on submit fails', async () => {
    const page = await open({ 'POST /api/verify/verify-otp': lost })
    await fillIn(page)
    await page.user.type(page.field('OTP code'), '123456{Enter}')
    expect(await findToast('Verification Error')).toBeTruthy()
    expect(await findToast('Could not verify OTP code')).toBeTruthy()
    await waitFor(() => expect(page.button('Register').getAttribute('aria-busy')).toBeNull())
    expect(page.routes()).not.toContain('POST /api/register')
  })

  it('a rejected registration shows the server message in a toast and under the field', async () => {
    const page = await open({
      'POST /api/register': refusal(409, 'Somebody was faster', 'username_taken'),
    })
    await fillIn(page)
    await verify(page)
    await register(page)
    expect(await findToast('Registration failed')).toBeTruthy()
    expect(await findToast('Somebody was faster')).toBeTruthy()
    await waitFor(() => expect(noteOf(page.field('Username'))).toBe('Somebody was faster'))
    await isFocused(page.field('Username'))
  })

  it('Enter marks every invalid field and focuses the first', async () => {
    const page = await open()
    await page.user.type(page.field('Username'), 'anh')
    await page.user.type(page.field('Password'), 'short')
    await page.user.type(page.field('Confirm password'), 'other{Enter}')
    expect(await screen.findByText('Invalid email address')).toBeTruthy()
    expect(screen.getByText('Password must be at least 8 characters')).toBeTruthy()
    expect(screen.getByText("Passwords don't match")).toBeTruthy()
    expect(screen.getByText('OTP code must be at least 6 characters')).toBeTruthy()
    await isFocused(page.field('Email'))
  })
})
