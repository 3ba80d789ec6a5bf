import { act, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toast.tsx'
import { ResetPasswordScreen } from './reset-password-screen.tsx'

type Handlers = Parameters<typeof serve>[0]

const fine = () => json({ success: true, message: '' })

function open(handlers: Handlers = {}) {
  const server = serve({
    'POST /api/password/forgot': fine,
    'POST /api/password/reset': fine,
    ...handlers,
  })
  show(<ResetPasswordScreen />)
  return { server, user: userEvent.setup({ delay: null }) }
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const tab = (name: string) => screen.getByRole<HTMLButtonElement>('tab', { name })

type Opened = ReturnType<typeof open>

async function ask({ user }: Opened, email = 'mai@example.com') {
  await user.type(field('Email'), email)
  await user.click(button('Send Reset Instructions'))
}

async function fillIn({ user }: Opened, confirm = 'secret123') {
  await screen.findByLabelText('OTP code')
  await user.type(field('OTP code'), '123456')
  await user.type(field('New password'), 'secret123')
  await user.type(field('Confirm password'), confirm)
  await user.click(button('Reset Password'))
}

beforeEach(() => {
  startAs(null)
  window.history.replaceState(null, '', '/reset-password')
})
afterEach(() => {
  act(() => clearToast())
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the forgotten password', () => {
  it('shows logo, name and tagline, and the way back', async () => {
    const { user } = open()
    expect(screen.getByText('AI-Powered Mining')).toBeTruthy()
    await user.click(button('Back to Login'))
    expect(window.location.pathname).toBe('/auth')
  })

  it('locks the second step until a mail was asked for', async () => {
    const { user } = open()
    expect(tab('Reset Password').disabled).toBe(true)
    await user.click(tab('Reset Password'))
    expect(screen.queryByLabelText('OTP code')).toBeNull()
  })

  it('refuses what is no e-mail address', async () => {
    const opened = open()
    await ask(opened, 'nobody')
    expect(await screen.findByText('Invalid email address')).toBeTruthy()
    expect(opened.server.sent).toEqual([])
  })

  it('sends the request, says what happens next and carries the address over', async () => {
    const opened = open()
    await ask(opened, ' mai@example.com ')
    await findToast('If your email is registered, you will receive password reset instructions')
    expect(opened.server.sent[0]?.init.body).toBe('{"email":"mai@example.com"}')
    expect(tab('Reset Password').getAttribute('aria-selected')).toBe('true')
    expect(field('Email').value).toBe('mai@example.com')
  })

  it('repeats why the server refused, and stays locked', async () => {
    const opened = open({ 'POST /api/password/forgot': () => refusal(429, 'Too many requests') })
    await ask(opened)
    await findToast('Too many requests')
    expect(tab('Reset Password').disabled).toBe(true)
  })

  it('has words of its own where nobody answers', async () => {
    await ask(open({ 'POST /api/password/forgot': lost }))
    await findToast('Unable to send password reset request')
  })

  it('unlocks the second step where a code went out a moment ago', async () => {
    const refuse = () => refusal(429, 'Please wait 50s before asking again', 'otp_too_soon')
    await ask(open({ 'POST /api/password/forgot': refuse }))
    await findToast('Please wait 50s before asking again')
    await waitFor(() => expect(tab('Reset Password').disabled).toBe(false))
    expect(tab('Forgot Password').getAttribute('aria-selected')).toBe('true')
  })
})

describe('the new password', () => {
  it('says under each field what is wrong', async () => {
    const opened = open()
    await ask(opened)
    await screen.findByLabelText('OTP code')
    expect(
      screen.getByText('At least 8 characters, with uppercase letters and numbers'),
    ).toBeTruthy()
    await opened.user.click(button('Reset Password'))
    expect(await screen.findByText('OTP code must be at least 6 characters')).toBeTruthy()
    expect(screen.getByText('Password must be at least 8 characters')).toBeTruthy()
    expect(screen.getByText('Passwords do not match')).toBeTruthy()
  })

  it('refuses two that differ', async () => {
    const opened = open()
    await ask(opened)
    await fillIn(opened, 'secret124')
    expect(await screen.findByText('Passwords do not match')).toBeTruthy()
    expect(opened.server.count('POST /api/password/reset')).toBe(0)
  })

  it('sets it and returns to /auth after 2 seconds', async () => {
    const opened = open()
    await ask(opened)
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await fillIn(opened)
    await findToast('You can now log in with your new password')
    expect(JSON.parse(String(opened.server.sent[1]?.init.body))).toEqual({
      email: 'mai@example.com',
      otp: '123456',
      newPassword: 'secret123',
    })
    expect(button('Reset Password').disabled).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(1_500))
    expect(window.location.pathname).toBe('/reset-password')
    await act(() => vi.advanceTimersByTimeAsync(600))
    expect(window.location.pathname).toBe('/auth')
  })

  it('says that the code is wrong, at the field too, and can be tried again', async () => {
    const opened = open({
      'POST /api/password/reset': () => refusal(400, 'Invalid OTP code', 'otp_invalid'),
    })
    await ask(opened)
    await fillIn(opened)
    await findToast('Invalid OTP code')
    await waitFor(() => expect(field('OTP code').getAttribute('aria-invalid')).toBe('true'))
    expect(button('Reset Password').disabled).toBe(false)
    expect(window.location.pathname).toBe('/reset-password')
  })

  it('has words of its own where nobody answers', async () => {
    const opened = open({ 'POST /api/password/reset': lost })
    await ask(opened)
    await fillIn(opened)
    await findToast('Unable to reset password')
  })

  it('shows and hides what is typed', async () => {
    const opened = open()
    await ask(opened)
    await screen.findByLabelText('OTP code')
    expect(field('New password').type).toBe('password')
    await opened.user.click(screen.getAllByRole('button', { name: 'Show password' })[0] as Element)
    expect(field('New password').type).toBe('text')
  })
})
