import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { isShown, pass } from '#client/screens/testing/retrying.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import { MINUTE_MS } from '#rules/constants'
import { ResetPasswordScreen } from './reset-password-screen.tsx'

type Handlers = Parameters<typeof serve>[0]

const tooSoon = () =>
  refusal(429, 'Please wait 50s before asking again', 'otp_too_soon', { 'Retry-After': '50' })
const success = () => json({ success: true, message: '' })

function open(handlers: Handlers = {}) {
  const server = serve({
    'POST /api/password/forgot': success,
    'POST /api/password/reset': success,
    ...handlers,
  })
  show(<ResetPasswordScreen />)
  return { server, user: userEvent.setup({ delay: null }) }
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const tab = (name: string) => screen.getByRole<HTMLButtonElement>('tab', { name })

type Opened = ReturnType<typeof open>

async function request({ user }: Opened, email = 'mai@example.com') {
  await user.type(field('Email'), email)
  await user.click(button('Send Reset Instructions'))
}

/** As a page that was unloaded stands in the history. */
function codeWasSent(agoMs: number): void {
  const state = { resetEmail: 'mai@example.com', resetSentAt: Date.now() - agoMs }
  window.history.replaceState(state, '')
}

async function fillIn({ user }: Opened, confirm = 'secret123') {
  await screen.findByLabelText('OTP code')
  await user.type(field('OTP code'), '123456')
  await user.type(field('New password'), 'secret123')
  await user.type(field('Confirm password'), confirm)
}

async function submit(opened: Opened, confirm?: string) {
  await fillIn(opened, confirm)
  await opened.user.click(button('Reset Password'))
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

describe('forgot password', () => {
  it('Back to Login leads to /auth', async () => {
    const { user } = open()
    expect(screen.getByText('AI-Powered Mining')).toBeTruthy()
    await user.click(button('Back to Login'))
    expect(window.location.pathname).toBe('/auth')
  })

  it('the Reset Password tab is locked until a code was requested', async () => {
    const { user } = open()
    expect(tab('Reset Password').disabled).toBe(true)
    await user.click(tab('Reset Password'))
    expect(screen.queryByLabelText('OTP code')).toBeNull()
  })

  it('an invalid e-mail address is rejected without a request', async () => {
    const opened = open()
    await request(opened, 'nobody')
    expect(await screen.findByText('Invalid email address')).toBeTruthy()
    expect(opened.server.sent).toEqual([])
  })

  it('a reset request opens the next step with the same e-mail address', async () => {
    const opened = open()
    await request(opened, ' mai@example.com ')
    await findToast('If your email is registered, you will receive password reset instructions')
    expect(opened.server.sent[0]?.init.body).toBe('{"email":"mai@example.com"}')
    await waitFor(() => expect(tab('Reset Password').getAttribute('aria-selected')).toBe('true'))
    expect(field('Email').value).toBe('mai@example.com')
  })

  it('a rejected reset request shows the server message and keeps the next step locked', async () => {
    const opened = open({ 'POST /api/password/forgot': () => refusal(429, 'Too many requests') })
    await request(opened)
    await findToast('Too many requests')
    await waitFor(() => expect(isDisabled(button('Send Reset Instructions'))).toBe(false))
    expect(tab('Reset Password').disabled).toBe(true)
  })

  it('a reset request without an answer shows the fallback message', async () => {
    await request(open({ 'POST /api/password/forgot': lost }))
    await findToast('Unable to send password reset request')
  })

  it('a request too soon after another keeps the next step locked and counts down', async () => {
    await request(open({ 'POST /api/password/forgot': tooSoon }))
    await screen.findByText('Please wait 50s before asking again')
    expect(button('Send Reset Instructions').textContent).toMatch(/in (50|4\d) s$/)
    expect(tab('Reset Password').disabled).toBe(true)
  })

  it('the wait under the field counts with the button, and is announced once', async () => {
    const message = 'Please wait 50s before asking again'
    const answer = { message, code: 'otp_too_soon', params: { seconds: 50 } }
    const init = { status: 429, headers: { 'Retry-After': '50' } }
    await request(
      open({ 'POST /api/password/forgot': () => new Response(JSON.stringify(answer), init) }),
    )
    const counting = await screen.findByText(/^Please wait 4[89]s before asking again$/)
    expect(counting.getAttribute('aria-hidden')).toBe('true')
    expect(counting.nextSibling?.textContent).toBe(message)
  })

  it('the button that has to wait looks disabled, and another address need not wait', async () => {
    const opened = open({ 'POST /api/password/forgot': tooSoon })
    await request(opened)
    await screen.findByText('Please wait 50s before asking again')
    expect(isDisabled(button('Send Reset Instructions'))).toBe(true)
    await opened.user.type(field('Email'), '.vn')
    expect(isDisabled(button('Send Reset Instructions'))).toBe(false)
    expect(button('Send Reset Instructions').textContent).toBe('Send Reset Instructions')
  })

  it('a reload keeps the next step open after a code was sent', async () => {
    const opened = open()
    await request(opened)
    await screen.findByLabelText('OTP code')
    cleanup()
    open()
    expect(tab('Reset Password').getAttribute('aria-selected')).toBe('true')
    expect(field('Email').value).toBe('mai@example.com')
    expect(button('Resend OTP').disabled).toBe(true)
  })
})

describe('new password', () => {
  it('submitting an empty reset form marks every field', async () => {
    const opened = open()
    await request(opened)
    await screen.findByLabelText('OTP code')
    expect(
      screen.getByText('At least 8 characters, with uppercase letters and numbers'),
    ).toBeTruthy()
    await opened.user.click(button('Reset Password'))
    expect(await screen.findByText('OTP code must be at least 6 characters')).toBeTruthy()
    expect(screen.getByText('Password must be at least 8 characters')).toBeTruthy()
    expect(screen.getByText('Passwords do not match')).toBeTruthy()
  })

  it('the first tab hides the form and loses nothing that was typed', async () => {
    const opened = open()
    await request(opened)
    await fillIn(opened)
    await opened.user.click(tab('Forgot Password'))
    expect(screen.queryByRole('textbox', { name: 'OTP code' })).toBeNull()
    expect(field('OTP code').closest('[role=tabpanel]')?.hasAttribute('hidden')).toBe(true)
    await opened.user.click(tab('Reset Password'))
    expect(screen.getByRole('textbox', { name: 'OTP code' })).toHaveProperty('value', '123456')
    expect(field('New password').value).toBe('secret123')
  })

  it('another request on the first tab resets the form', async () => {
    const opened = open()
    await request(opened)
    await fillIn(opened)
    await opened.user.click(tab('Forgot Password'))
    const email = screen.getByRole('textbox', { name: 'Email' })
    await opened.user.clear(email)
    await opened.user.type(email, 'linh@example.com')
    await opened.user.click(button('Send Reset Instructions'))
    await waitFor(() => expect(tab('Reset Password').getAttribute('aria-selected')).toBe('true'))
    expect(field('Email').value).toBe('linh@example.com')
    expect(field('OTP code').value).toBe('')
    expect(document.activeElement).toBe(field('OTP code'))
    expect(button('Resend OTP').textContent).toMatch(/in (60|5\d) s$/)
  })

  it('two different passwords are rejected without a request', async () => {
    const opened = open()
    await request(opened)
    await submit(opened, 'secret124')
    expect(await screen.findByText('Passwords do not match')).toBeTruthy()
    expect(opened.server.count('POST /api/password/reset')).toBe(0)
  })

  it('a new password is set and leads to /auth after 2 seconds', async () => {
    const opened = open()
    await request(opened)
    await fillIn(opened)
    vi.useFakeTimers()
    fireEvent.click(button('Reset Password'))
    await pass(10)
    expect(isShown('You can now log in with your new password')).toBe(true)
    expect(JSON.parse(String(opened.server.sent[1]?.init.body))).toEqual({
      email: 'mai@example.com',
      otp: '123456',
      newPassword: 'secret123',
    })
    expect(button('Reset Password').disabled).toBe(true)
    await pass(1_900)
    expect(window.location.pathname).toBe('/reset-password')
    await pass(200)
    expect(window.location.pathname).toBe('/auth')
  })

  it('a wrong code marks its field and can be submitted again', async () => {
    const opened = open({
      'POST /api/password/reset': () => refusal(400, 'Invalid OTP code', 'otp_invalid'),
    })
    await request(opened)
    await submit(opened)
    await findToast('Invalid OTP code')
    await waitFor(() => expect(field('OTP code').getAttribute('aria-invalid')).toBe('true'))
    await waitFor(() => expect(isDisabled(button('Reset Password'))).toBe(false))
    expect(window.location.pathname).toBe('/reset-password')
  })

  it('a code that has expired opens the first step, without the address of whoever asked for it', () => {
    codeWasSent(11 * MINUTE_MS)
    open()
    expect(tab('Reset Password').disabled).toBe(true)
    expect(field('Email').value).toBe('')
  })

  it('a used-up code marks its field and offers a new one', async () => {
    const message = 'This code is used up. Request a new one.'
    codeWasSent(2 * MINUTE_MS)
    const opened = open({ 'POST /api/password/reset': () => refusal(400, message, 'otp_used_up') })
    await submit(opened)
    await waitFor(() => expect(field('OTP code').getAttribute('aria-invalid')).toBe('true'))
    await opened.user.click(button('Resend OTP'))
    await waitFor(() => expect(field('OTP code').value).toBe(''))
    expect(opened.server.count('POST /api/password/forgot')).toBe(1)
    await waitFor(() => expect(isDisabled(button('Resend OTP'))).toBe(true))
    expect(button('Resend OTP').textContent).toMatch(/in (60|5\d) s$/)
  })

  it('a code that arrives before the answer to its request stays in the field', async () => {
    let answer = () => {}
    codeWasSent(2 * MINUTE_MS)
    const { user } = open({
      'POST /api/password/forgot': () =>
        new Promise((resolve) => {
          answer = () => resolve(success())
        }),
    })
    await user.type(field('OTP code'), '111')
    await user.click(button('Resend OTP'))
    await user.clear(field('OTP code'))
    await user.type(field('OTP code'), '123456')
    answer()
    await waitFor(() => expect(button('Resend OTP').textContent).toMatch(/in (60|5\d) s$/))
    expect(field('OTP code').value).toBe('123456')
  })

  it('a password reset without an answer shows the fallback message', async () => {
    const opened = open({ 'POST /api/password/reset': lost })
    await request(opened)
    await submit(opened)
    await findToast('Unable to reset password')
  })

  describe('after a reset whose answer was lost', () => {
    /** Resets, without an answer, and once more: the code is used up by the first one. */
    async function submitTwice(login: Response | typeof lost, between = '') {
      const answers = [lost, () => refusal(400, 'Invalid OTP code', 'otp_invalid')]
      const opened = open({
        'POST /api/password/reset': () => (answers.shift() ?? lost)(),
        'POST /api/login': login,
      })
      await request(opened)
      await submit(opened)
      await findToast('Unable to reset password')
      for (const name of ['New password', 'Confirm password']) {
        if (between) await opened.user.type(field(name), between)
      }
      await waitFor(() => expect(button('Reset Password').getAttribute('aria-busy')).toBeNull())
      await opened.user.click(button('Reset Password'))
      return opened
    }

    it('the next one signs in with the new password', async () => {
      const { server } = await submitTwice(json(aUser()))
      await findToast('You can now log in with your new password')
      expect(server.sent.find(({ route }) => route === 'POST /api/login')?.body).toEqual({
        identifier: 'mai@example.com',
        password: 'secret123',
      })
      expect(currentUser()).toEqual(aUser())
      expect(isDisabled(button('Reset Password'))).toBe(true)
    })

    it.each([
      ['second_factor_required', 'You can now log in with your new password'],
      ['wrong_credentials', 'Invalid OTP code'],
      ['otp_required', 'Refused'],
    ])('a login that is refused with %s shows "%s"', async (code, text) => {
      await submitTwice(refusal(401, 'Refused', code))
      await findToast(text)
    })

    it('a login without an answer leaves the reset open', async () => {
      const { server } = await submitTwice(lost)
      await waitFor(() => expect(server.count('POST /api/login')).toBe(1))
      await findToast('Unable to reset password')
      expect(screen.queryByText('Invalid OTP code')).toBeNull()
    })

    it('another password signs nobody in', async () => {
      const { server } = await submitTwice(json(aUser()), 'x')
      await findToast('Invalid OTP code')
      expect(server.count('POST /api/login')).toBe(0)
    })
  })

  it('the new password can be shown', async () => {
    const opened = open()
    await request(opened)
    await screen.findByLabelText('OTP code')
    expect(field('New password').type).toBe('password')
    await opened.user.click(screen.getAllByRole('button', { name: 'Show password' })[0] as Element)
    expect(field('New password').type).toBe('text')
  })
})
