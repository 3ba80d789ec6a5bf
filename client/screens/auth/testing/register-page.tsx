import { screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { AuthScreen } from '#client/screens/auth/auth-screen.tsx'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { type Handlers, json, serve } from '#client/testing/server.ts'
import { Toaster } from '#client/ui/toasts/toaster.tsx'
import { member, showInNewStore, standAt } from './new-store.tsx'

const free: Handlers = {
  'GET /api/check/username/:username': json({ available: true, message: 'Name is free' }),
  'GET /api/check/email/:email': json({ available: true, message: 'Address is free' }),
  'GET /api/check/referral-code/:code': json({ valid: true, message: 'Code is valid' }),
  'POST /api/verify/send-otp': json({ ok: true, message: '' }),
  'POST /api/verify/verify-otp': json({ ok: true, message: '' }),
  'POST /api/register': json(member),
}

/** Opens the register form; everything is available and every code is right unless handlers say else. */
export async function openRegister(handlers: Handlers = {}, path = '/auth') {
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
  /** Enters a text as a whole: a render for each key would take most of a test's time. */
  async function enter(name: string, text: string) {
    await user.click(field(name))
    await user.paste(text)
  }
  return { user, requests, routes, button, field, enter }
}

export type RegisterPage = Awaited<ReturnType<typeof openRegister>>

/** Fills in all fields but the code, and waits until name and address are known to be available. */
export async function fillIn({ enter }: RegisterPage) {
  await enter('Username', 'anh')
  await enter('Email', 'anh@example.com')
  await enter('Password', 'secret123')
  await enter('Confirm password', 'secret123')
  await screen.findByText('Name is free')
  await screen.findByText('Address is free')
}

/** The text that describes a field. */
export const noteOf = (input: HTMLElement) =>
  document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent

/** The focus moves to the next field a moment after each toast. */
export const isFocused = (input: HTMLElement) =>
  waitFor(() => expect(document.activeElement).toBe(input))

export const isEnabled = ({ button }: RegisterPage, name: string) =>
  waitFor(() => expect(isDisabled(button(name))).toBe(false))

/** Requests a code and enters it; its sixth digit verifies it. */
export async function verify({ user, button, field }: RegisterPage) {
  await user.click(button('Send OTP'))
  await findToast('OTP code has been sent to your email')
  await isFocused(field('OTP code'))
  await user.type(field('OTP code'), '123456')
  await findToast('OTP code has been verified successfully')
  await isFocused(field('Password'))
}

export async function register(page: RegisterPage) {
  await isEnabled(page, 'Register')
  await page.user.click(page.button('Register'))
}
