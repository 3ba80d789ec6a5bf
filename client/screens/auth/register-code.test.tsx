import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { json, lost, refusal } from '#client/testing/server.ts'
import { HOUR_MS } from '#rules/constants'
import {
  fillIn,
  isEnabled,
  isFocused,
  noteOf,
  openRegister,
  register,
  verify,
} from './testing/register-page.tsx'

beforeEach(() => void vi.unstubAllGlobals())

it('Send OTP is enabled for an available address and becomes Resend OTP', async () => {
  const page = await openRegister()
  expect(page.button('Send OTP').disabled).toBe(true)
  await page.enter('Email', 'anh@example.com')
  await isEnabled(page, 'Send OTP')
  await page.user.click(page.button('Send OTP'))
  expect(await findToast('OTP code has been sent to your email')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Resend OTP' })).toBeTruthy()
  await isFocused(page.field('OTP code'))
  expect(page.button('Resend OTP').textContent).toMatch(/^Resend OTPin (60|5\d) s$/)
  expect(page.button('Resend OTP').disabled).toBe(true)
})

it('an address that was taken since its check is marked at its field, without a toast', async () => {
  const page = await openRegister({
    'POST /api/verify/send-otp': refusal(409, 'Email is already in use', 'email_taken'),
  })
  await page.enter('Email', 'Anh@Example.com')
  await isEnabled(page, 'Send OTP')
  await page.user.click(page.button('Send OTP'))
  await waitFor(() => expect(noteOf(page.field('Email'))).toBe('Email is already in use'))
  expect(isDisabled(page.button('Send OTP'))).toBe(true)
  expect(screen.queryByText('Email is already in use', { selector: 'li *' })).toBeNull()
})

it('a request too soon after another counts down on the button, without a toast', async () => {
  const page = await openRegister({
    'POST /api/verify/send-otp': refusal(429, 'Please wait a minute', 'otp_too_soon', {
      'Retry-After': '37',
    }),
  })
  await page.enter('Email', 'anh@example.com')
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

it('the wait under the field counts with the button, and is announced once', async () => {
  const answer = {
    message: 'Please wait 37s before asking again',
    code: 'otp_too_soon',
    params: { seconds: 37 },
  }
  const page = await openRegister({
    'POST /api/verify/send-otp': new Response(JSON.stringify(answer), {
      status: 429,
      headers: { 'Retry-After': '37' },
    }),
  })
  await page.enter('Email', 'anh@example.com')
  await isEnabled(page, 'Send OTP')
  await page.user.click(page.button('Send OTP'))
  const counting = await screen.findByText(/^Please wait 3[56]s before asking again$/)
  expect(counting.getAttribute('aria-hidden')).toBe('true')
  expect(counting.nextSibling?.textContent).toBe(answer.message)
})

it('a code that arrives before the answer to its request stays in the field', async () => {
  let answer = () => {}
  const page = await openRegister({
    'POST /api/verify/send-otp': () =>
      new Promise((resolve) => {
        answer = () => resolve(json({ ok: true, message: '' }))
      }),
  })
  await page.enter('Email', 'anh@example.com')
  await page.user.type(page.field('OTP code'), '111')
  await isEnabled(page, 'Send OTP')
  await page.user.click(page.button('Send OTP'))
  await page.user.clear(page.field('OTP code'))
  await page.enter('OTP code', '12345')
  await page.user.click(page.field('Username'))
  answer()
  expect(await findToast('OTP code has been sent to your email')).toBeTruthy()
  expect(page.field('OTP code').value).toBe('12345')
  expect(document.activeElement).toBe(page.field('Username'))
})

it('Verify is offered from six characters on until the address is verified', async () => {
  const page = await openRegister()
  await page.user.type(page.field('OTP code'), '12345')
  expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull()
  await page.user.clear(page.field('OTP code'))
  await page.enter('Email', 'anh@example.com')
  await isEnabled(page, 'Send OTP')
  await verify(page)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Verify' })).toBeNull())
})

it('a code that is pasted in groups is verified', async () => {
  const page = await openRegister()
  await page.enter('Email', 'anh@example.com')
  await isEnabled(page, 'Send OTP')
  await page.user.click(page.field('OTP code'))
  await page.user.paste('123 456')
  expect(await screen.findByText('Email address verified')).toBeTruthy()
})

it('a clock that is set back during a countdown ends it', async () => {
  const page = await openRegister()
  await page.enter('Email', 'anh@example.com')
  await isEnabled(page, 'Send OTP')
  await page.user.click(page.button('Send OTP'))
  await screen.findByRole('button', { name: 'Resend OTP' })
  const now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now - HOUR_MS)
  await waitFor(() => expect(page.button('Resend OTP').textContent).toBe('Resend OTP'))
  clock.mockRestore()
})

it('Verify distinguishes a wrong code from a request without an answer', async () => {
  let reply = () => refusal(400, '')
  const page = await openRegister({ 'POST /api/verify/verify-otp': () => reply() })
  await page.enter('Email', 'anh@example.com')
  await page.user.type(page.field('OTP code'), '000000')
  expect(await findToast('Invalid OTP code')).toBeTruthy()
  reply = lost
  await isEnabled(page, 'Verify')
  await page.user.click(page.button('Verify'))
  expect(await findToast('Could not verify OTP')).toBeTruthy()
})

it('a code that is refused after a lost answer counts as verified until the registration is refused', async () => {
  let reply = () => new Response('Bad gateway', { status: 502 })
  const page = await openRegister({
    'POST /api/verify/verify-otp': () => reply(),
    'POST /api/register': refusal(400, 'Please verify your email', 'email_not_verified'),
  })
  await fillIn(page)
  await page.user.type(page.field('OTP code'), '123456')
  expect(await findToast('Could not verify OTP')).toBeTruthy()
  reply = () => refusal(400, 'Invalid OTP code', 'otp_invalid')
  await isEnabled(page, 'Verify')
  await page.user.click(page.button('Verify'))
  expect(await screen.findByText('Email address verified')).toBeTruthy()
  await register(page)
  expect(await findToast('Please verify your email')).toBeTruthy()
  await isEnabled(page, 'Verify')
  await page.user.click(page.button('Verify'))
  await waitFor(() => expect(noteOf(page.field('OTP code'))).toBe('Invalid OTP code'))
})

it('another code that is refused after a lost answer is a wrong one', async () => {
  let reply: () => Response = lost
  const page = await openRegister({ 'POST /api/verify/verify-otp': () => reply() })
  await page.enter('Email', 'anh@example.com')
  await page.user.type(page.field('OTP code'), '123456')
  expect(await findToast('Could not verify OTP')).toBeTruthy()
  reply = () => refusal(400, 'Invalid OTP code', 'otp_invalid')
  await page.user.type(page.field('OTP code'), '{Backspace}7')
  await waitFor(() => expect(noteOf(page.field('OTP code'))).toBe('Invalid OTP code'))
})

it('a wrong code is marked at its field until it is changed, and sent once', async () => {
  const page = await openRegister({
    'POST /api/verify/verify-otp': refusal(400, 'Invalid OTP code', 'otp_invalid'),
  })
  await page.enter('Email', 'anh@example.com')
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
  const page = await openRegister({
    'POST /api/verify/verify-otp': refusal(400, message, 'otp_used_up'),
  })
  await page.enter('Email', 'anh@example.com')
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
