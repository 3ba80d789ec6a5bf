import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { show } from '#client/testing/render.tsx'
import { type Handlers, json, lost, refusal, serve } from '#client/testing/server.ts'
import { MAIN_ID } from '#client/ui/focus-main.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import { Toaster } from '#client/ui/toasts/toaster.tsx'
import { AuthScreen } from './auth-screen.tsx'
import { member, showInNewStore, standAt } from './testing/new-store.tsx'

function open(handlers: Handlers = {}) {
  const { sent: requests } = serve(handlers)
  return {
    user: showInNewStore(
      <main id={MAIN_ID} tabIndex={-1}>
        <AuthScreen />
        <Toaster />
      </main>,
    ),
    requests,
  }
}

const identifier = () => screen.getByLabelText('Username or email')
const password = () => screen.getByLabelText('Password')
const loginPanel = () => within(screen.getByRole('tabpanel', { name: 'Login' }))
const login = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Login' })

/** The second step has its own title, and neither tabs nor the fields of the first. */
function expectSecondStep() {
  expect(screen.getByRole('heading', { name: 'Step 2 of 2' })).toBeTruthy()
  expect(screen.queryByRole('tab')).toBeNull()
  expect(screen.queryByLabelText('Password')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Create an account' })).toBeNull()
}

describe('login form', () => {
  beforeEach(() => {
    vi.unstubAllGlobals()
    standAt('/auth')
  })

  it('submitting an empty login form marks every field and focuses the first', async () => {
    const { user, requests } = open()
    await user.click(login())
    expect(await screen.findByText('Username or email is required')).toBeTruthy()
    expect(screen.getByText('Password is required')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(identifier()))
    expect(requests).toEqual([])
  })

  it('leaving a required field empty marks only that field', async () => {
    const { user } = open()
    await user.click(identifier())
    await user.tab()
    expect(await screen.findByText('Username or email is required')).toBeTruthy()
    expect(screen.queryByText('Password is required')).toBeNull()
  })

  it('a successful login signs the member in and shows a welcome', async () => {
    const { user, requests } = open({ 'POST /api/login': json(member) })
    await user.type(identifier(), ' anh ')
    await user.type(password(), 'secret123')
    await user.click(screen.getByLabelText('Remember me'))
    await user.click(login())
    expect(await findToast('Login successful')).toBeTruthy()
    expect(await findToast('Welcome back, anh!')).toBeTruthy()
    expect(requests[0]?.body).toEqual({
      identifier: 'anh',
      password: 'secret123',
      rememberMe: true,
    })
    expect(currentUser()).toEqual(member)
  })

  it('a rejected login shows the server message and can be submitted again', async () => {
    const { user } = open({
      'POST /api/login': refusal(401, 'Wrong password', 'wrong_credentials'),
    })
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret124{Enter}')
    expect(await findToast('Login failed')).toBeTruthy()
    expect(await findToast('Wrong password')).toBeTruthy()
    await waitFor(() => expect(isDisabled(login())).toBe(false))
    expect(currentUser()).toBeNull()
  })

  it('a login that needs a code asks for it and sends it with the password', async () => {
    const message = 'Too many failed logins. If the password is right, we have sent a code'
    let answers = 0
    const { user, requests } = open({
      'POST /api/login': () => {
        answers += 1
        return answers === 1 ? refusal(401, message, 'otp_required') : json(member)
      },
    })
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret123{Enter}')
    expect(await findToast(message)).toBeTruthy()
    const code = await screen.findByLabelText('OTP code')
    await waitFor(() => expect(document.activeElement).toBe(code))
    expectSecondStep()
    await user.type(code, ' 123456 {Enter}')
    expect(await findToast('Login successful')).toBeTruthy()
    expect(requests[1]?.body).toEqual({
      identifier: 'anh',
      password: 'secret123',
      rememberMe: false,
      otp: '123456',
    })
  })

  it('the step of the mailed code leads back to name and password, which are kept', async () => {
    const { user } = open({ 'POST /api/login': refusal(401, 'not yet', 'otp_required') })
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret123{Enter}')
    await user.type(await screen.findByLabelText('OTP code'), '123456')
    await user.click(screen.getByRole('button', { name: 'Back to password' }))
    expect(password()).toHaveProperty('value', 'secret123')
    expect(screen.getAllByRole('tab')).toHaveLength(2)
    expect(document.activeElement?.id).toBe(MAIN_ID)
  })

  it('a used-up code is cleared, so that the next login requests a new one', async () => {
    const codes = ['otp_required', 'otp_used_up', 'otp_required']
    const { user, requests } = open({
      'POST /api/login': () => refusal(400, 'not yet', codes.shift()),
    })
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret123{Enter}')
    const code = await screen.findByLabelText<HTMLInputElement>('OTP code')
    await user.type(code, '123456{Enter}')
    await waitFor(() => expect(code.value).toBe(''))
    await waitFor(() => expect(isDisabled(login())).toBe(false))
    await user.click(login())
    await waitFor(() => expect(requests).toHaveLength(3))
    expect(requests[2]?.body).not.toHaveProperty('otp')
  })

  it('an account that is frozen at the mailed code returns to the first step, where the reason stays', async () => {
    const codes = ['otp_required', 'account_frozen', 'account_frozen']
    const message = 'Your account is frozen: spam'
    const server = serve({
      'POST /api/login': () => refusal(403, message, codes.shift()),
    })
    show(<AuthScreen />)
    const user = userEvent.setup({ delay: null })
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret123{Enter}')
    await user.type(await screen.findByLabelText('OTP code'), '123456{Enter}')
    await waitFor(() => expect(password()).toHaveProperty('value', 'secret123'))
    act(() => clearToast())
    expect(screen.getByText(message)).toBeTruthy()
    await user.click(login())
    await waitFor(() => expect(server.count('POST /api/login')).toBe(3))
    const logins = server.sent.filter(({ route }) => route === 'POST /api/login')
    expect(logins[2]?.body).not.toHaveProperty('otp')
  })

  it('a login with one-time codes asks for one after the password', async () => {
    const message = 'Enter the code from your authenticator app'
    const { user, requests } = open({
      'POST /api/login': refusal(401, message, 'second_factor_required'),
      'POST /api/login/second-factor': json(member),
    })
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret123{Enter}')
    const code = await screen.findByLabelText('Code')
    await waitFor(() => expect(document.activeElement).toBe(code))
    expect(screen.queryByText('Login failed')).toBeNull()
    expectSecondStep()
    await user.type(code, ' 123456 {Enter}')
    expect(await findToast('Login successful')).toBeTruthy()
    expect(requests[1]?.body).toEqual({ code: '123456' })
    expect(currentUser()).toEqual(member)
  })

  it.each(['/auth', '/auth?ref=TESPABC234'])(
    'a phone that unloads %s behind the app with the codes returns to that step',
    async (path) => {
      standAt(path)
      const { user } = open({
        'POST /api/login': refusal(401, 'Enter the code', 'second_factor_required'),
      })
      await user.click(screen.getByRole('tab', { name: 'Login' }))
      await user.type(identifier(), 'anh')
      await user.type(loginPanel().getByLabelText('Password'), 'secret123{Enter}')
      await screen.findByLabelText('Code')
      cleanup()
      const { user: again } = open()
      expect(screen.getByRole('heading', { name: 'Step 2 of 2' })).toBeTruthy()
      await again.click(screen.getByRole('button', { name: 'Back to password' }))
      expect(await loginPanel().findByLabelText('Password')).toBeTruthy()
      cleanup()
      open()
      expect(screen.queryByRole('heading', { name: 'Step 2 of 2' })).toBeNull()
    },
  )

  it('a second step that has expired returns to the password, a wrong code does not', async () => {
    const codes = ['second_factor_invalid', 'second_step_expired']
    const { user } = open({
      'POST /api/login': refusal(401, 'Enter the code', 'second_factor_required'),
      'POST /api/login/second-factor': () => refusal(400, 'not valid', codes.shift()),
    })
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret123{Enter}')
    const code = await screen.findByLabelText<HTMLInputElement>('Code')
    await user.type(code, '123456{Enter}')
    await waitFor(() => expect(code.value).toBe(''))
    await waitFor(() => expect(isDisabled(login())).toBe(false))
    await user.type(code, '123456{Enter}')
    expect(await screen.findByLabelText('Password')).toBeTruthy()
  })

  it('a browser without passkeys has no button for them', () => {
    open()
    expect(screen.queryByRole('button', { name: 'Log in with a passkey' })).toBeNull()
  })

  it('a passkey challenge on its way is given up before a login is sent', async () => {
    vi.stubGlobal('isSecureContext', true)
    const offers = { isConditionalMediationAvailable: async () => true }
    vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, offers))
    let isGivenUp: boolean | undefined
    const { user, requests } = open({
      'POST /api/passkey/options': () => new Promise(() => {}),
      'POST /api/login': () => {
        isGivenUp = requests[0]?.init.signal?.aborted
        return json(member)
      },
    })
    await waitFor(() =>
      expect(requests.map(({ route }) => route)).toEqual(['POST /api/passkey/options']),
    )
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret123{Enter}')
    expect(await findToast('Login successful')).toBeTruthy()
    expect(isGivenUp).toBe(true)
  })

  it('a login without an answer shows an error', async () => {
    const { user } = open({ 'POST /api/login': lost })
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret123{Enter}')
    expect(await findToast(/could not be reached/)).toBeTruthy()
  })

  it('the password can be shown and hidden', async () => {
    const { user } = open()
    expect(password().getAttribute('type')).toBe('password')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(password().getAttribute('type')).toBe('text')
    await user.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(password().getAttribute('type')).toBe('password')
  })

  it('Forgot password links to the password reset', () => {
    open()
    const link = screen.getByRole('link', { name: 'Forgot password' })
    expect(link.getAttribute('href')).toBe('/reset-password')
  })
})
