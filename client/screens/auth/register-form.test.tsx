import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { type Handlers, json, lost, refusal, serve } from '#client/testing/server.ts'
import { Toaster } from '#client/ui/toast.tsx'
import { AuthScreen } from './auth-screen.tsx'
import { member, said, show, standAt } from './testing/show.tsx'

const free: Handlers = {
  'GET /api/check/username/:username': json({ available: true, message: 'Name is free' }),
  'GET /api/check/email/:email': json({ available: true, message: 'Address is free' }),
  'GET /api/check/referral-code/:code': json({ valid: true, message: 'Code is valid' }),
  'POST /api/verify/send-otp': json({ ok: true, message: '' }),
  'POST /api/verify/verify-otp': json({ ok: true, message: '' }),
  'POST /api/register': json(member),
}

async function open(replies: Handlers = {}, path = '/auth') {
  standAt(path)
  const { sent: requests } = serve({ ...free, ...replies })
  const user = show(
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

async function verify({ user, button, field }: Page) {
  await user.click(button('Send OTP'))
  await said('OTP code has been sent to your email')
  await user.type(field('OTP code'), '123456')
  await user.click(button('Verify'))
  await said('OTP code has been verified successfully')
}

describe('the register form', () => {
  beforeEach(() => {
    vi.unstubAllGlobals()
  })

  it('opens with the code of a referral link, filled in and checked', async () => {
    const { field, requests } = await open({}, '/auth?ref=tesp-ab12cd')
    expect(field('Referral code').value).toBe('tesp-ab12cd')
    expect(await screen.findByText('Code is valid')).toBeTruthy()
    expect(requests.at(-1)?.path).toBe('/api/check/referral-code/TESPAB12CD')
  })

  it('checks a user name from three characters on, once it rests', async () => {
    const { user, field, requests } = await open()
    await user.type(field('Username'), 'an')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(requests).toEqual([])
    await user.type(field('Username'), 'h')
    expect(await screen.findByText('Name is free')).toBeTruthy()
    expect(requests.map(({ path }) => path)).toEqual(['/api/check/username/anh'])
  })

  it('checks an e-mail address only once it has an @', async () => {
    const { user, field, routes } = await open()
    await user.type(field('Email'), 'anh')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(routes()).toEqual([])
    await user.type(field('Email'), '@example.com')
    expect(await screen.findByText('Address is free')).toBeTruthy()
  })

  it('asks for another name when one is taken', async () => {
    const page = await open({
      'GET /api/check/username/:username': json({ available: false, message: 'Name is taken' }),
    })
    await page.user.type(page.field('Username'), 'anh')
    expect(await screen.findByText('Name is taken')).toBeTruthy()
    expect(page.field('Username').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('Choose another username')).toBeTruthy()
  })

  it('says that a check failed and keeps the state unknown', async () => {
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
    expect(screen.queryByText('Checking…')).toBeNull()
  })

  it('sends a code only to a free address, and then offers to send it again', async () => {
    const page = await open()
    expect(page.button('Send OTP').disabled).toBe(true)
    await page.user.type(page.field('Email'), 'anh@example.com')
    await waitFor(() => expect(page.button('Send OTP').disabled).toBe(false))
    await page.user.click(page.button('Send OTP'))
    expect(await said('OTP code has been sent to your email')).toBeTruthy()
    expect(page.button('Resend OTP')).toBeTruthy()
    expect(document.activeElement).toBe(page.field('OTP code'))
  })

  it('repeats why no code was sent, and when the next one can be', async () => {
    const page = await open({
      'POST /api/verify/send-otp': refusal(429, 'Please wait a minute', 'otp_too_soon', {
        'Retry-After': '37',
      }),
    })
    await page.user.type(page.field('Email'), 'anh@example.com')
    await waitFor(() => expect(page.button('Send OTP').disabled).toBe(false))
    await page.user.click(page.button('Send OTP'))
    expect(await said('Please wait a minute')).toBeTruthy()
    expect(page.button('Resend OTP').disabled).toBe(true)
    expect(screen.getByText('A new code can be sent in 37 s')).toBeTruthy()
    await page.user.type(page.field('Email'), 'x')
    expect(screen.queryByText(/^A new code can be sent/)).toBeNull()
  })

  it('offers Verify from six characters on until the address is verified', async () => {
    const page = await open()
    await page.user.type(page.field('OTP code'), '12345')
    expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull()
    await page.user.clear(page.field('OTP code'))
    await page.user.type(page.field('Email'), 'anh@example.com')
    await waitFor(() => expect(page.button('Send OTP').disabled).toBe(false))
    await verify(page)
    expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull()
  })

  it('says that the code is wrong, or that nobody answered', async () => {
    let reply = () => refusal(400, '')
    const page = await open({ 'POST /api/verify/verify-otp': () => reply() })
    await page.user.type(page.field('Email'), 'anh@example.com')
    await page.user.type(page.field('OTP code'), '000000')
    await page.user.click(page.button('Verify'))
    expect(await said('Invalid OTP code')).toBeTruthy()
    reply = lost
    await page.user.click(page.button('Verify'))
    expect(await said('Could not verify OTP')).toBeTruthy()
  })

  it('enables Register once both names are free and the address is verified', async () => {
    const page = await open()
    await fillIn(page)
    expect(page.button('Register').disabled).toBe(true)
    await verify(page)
    expect(page.button('Register').disabled).toBe(false)
    await page.user.type(page.field('Email'), 'x')
    expect(page.button('Register').disabled).toBe(true)
  })

  it('registers and signs the member in', async () => {
    const page = await open()
    await fillIn(page)
    await verify(page)
    await page.user.click(page.button('Register'))
    expect(await said('Registration successful')).toBeTruthy()
    expect(await said('Your account has been created successfully!')).toBeTruthy()
    expect(page.requests.at(-1)?.body).toEqual({
      username: 'anh',
      email: 'anh@example.com',
      password: 'secret123',
    })
    expect(currentUser()).toEqual(member)
  })

  it('verifies first when submitted with a code that is not verified yet', async () => {
    const page = await open()
    await fillIn(page)
    await page.user.type(page.field('OTP code'), '123456{Enter}')
    expect(await said('Registration successful')).toBeTruthy()
    expect(page.routes().slice(-2)).toEqual(['POST /api/verify/verify-otp', 'POST /api/register'])
  })

  it('does not register when that verification fails', async () => {
    const page = await open({ 'POST /api/verify/verify-otp': lost })
    await fillIn(page)
    await page.user.type(page.field('OTP code'), '123456{Enter}')
    expect(await said('Verification Error')).toBeTruthy()
    expect(await said('Could not verify OTP code')).toBeTruthy()
    expect(page.routes()).not.toContain('POST /api/register')
  })

  it('repeats why the registration was refused, also beside the field', async () => {
    const page = await open({
      'POST /api/register': refusal(409, 'Somebody was faster', 'username_taken'),
    })
    await fillIn(page)
    await verify(page)
    await page.user.click(page.button('Register'))
    expect(await said('Registration failed')).toBeTruthy()
    expect(await said('Somebody was faster')).toBeTruthy()
    const note = document.getElementById(
      page.field('Username').getAttribute('aria-describedby') ?? '',
    )
    expect(note?.textContent).toBe('Somebody was faster')
    await waitFor(() => expect(document.activeElement).toBe(page.field('Username')))
  })

  it('says on Enter what is wrong and leads to the first wrong field', async () => {
    const page = await open()
    await page.user.type(page.field('Username'), 'anh')
    await page.user.type(page.field('Password'), 'short')
    await page.user.type(page.field('Confirm password'), 'other{Enter}')
    expect(await screen.findByText('Invalid email address')).toBeTruthy()
    expect(screen.getByText('Password must be at least 8 characters')).toBeTruthy()
    expect(screen.getByText("Passwords don't match")).toBeTruthy()
    expect(screen.getByText('OTP code must be at least 6 characters')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(page.field('Email')))
  })
})
