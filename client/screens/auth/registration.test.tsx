import { waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { type Handlers, json, lost, refusal } from '#client/testing/server.ts'
import { member } from './testing/new-store.tsx'
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

it('Register is enabled once username and address are available and the address is verified', async () => {
  const page = await openRegister()
  await fillIn(page)
  expect(page.button('Register').disabled).toBe(true)
  await verify(page)
  await isEnabled(page, 'Register')
  await page.user.type(page.field('Email'), 'x')
  await waitFor(() => expect(page.button('Register').disabled).toBe(true))
})

it('a registration signs the member in', async () => {
  const page = await openRegister()
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
  const page = await openRegister()
  await fillIn(page)
  await page.user.type(page.field('OTP code'), '123456{Enter}')
  expect(await findToast('Registration successful')).toBeTruthy()
  expect(page.routes().slice(-2)).toEqual(['POST /api/verify/verify-otp', 'POST /api/register'])
})

it('no registration is sent when the verification on submit fails', async () => {
  const page = await openRegister({ 'POST /api/verify/verify-otp': lost })
  await fillIn(page)
  await page.user.type(page.field('OTP code'), '123456{Enter}')
  expect(await findToast('Verification Error')).toBeTruthy()
  expect(await findToast('Could not verify OTP code')).toBeTruthy()
  await waitFor(() => expect(page.button('Register').getAttribute('aria-busy')).toBeNull())
  expect(page.routes()).not.toContain('POST /api/register')
})

it('a rejected registration shows the server message in a toast and under the field', async () => {
  const page = await openRegister({
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

describe('after a registration whose answer was lost', () => {
  /** Registers, without an answer, and once more with the refusal `code`. */
  async function registerTwice(code: string, login: Response | typeof lost, between = '') {
    const answers = [lost, () => refusal(409, 'Refused', code)]
    const handlers: Handlers = {
      'POST /api/register': () => (answers.shift() ?? lost)(),
      'POST /api/login': login,
    }
    const page = await openRegister(handlers)
    await fillIn(page)
    await verify(page)
    await register(page)
    await findToast('Registration failed')
    await waitFor(() => expect(page.button('Register').getAttribute('aria-busy')).toBeNull())
    for (const name of ['Password', 'Confirm password']) await page.enter(name, between)
    await register(page)
    await waitFor(() => expect(answers).toEqual([]))
    return page
  }

  it.each(['email_not_verified', 'email_taken', 'username_taken'])(
    'the refusal %s of the next one signs the member in to the account',
    async (code) => {
      const page = await registerTwice(code, json(member))
      expect(await findToast('Registration successful')).toBeTruthy()
      expect(page.requests.at(-1)).toMatchObject({
        route: 'POST /api/login',
        body: { identifier: 'anh', password: 'secret123' },
      })
      expect(currentUser()).toEqual(member)
    },
  )

  it('the refusal is shown if the account is not that of the member', async () => {
    const login = refusal(401, 'Invalid username or password', 'wrong_credentials')
    const page = await registerTwice('email_taken', login)
    expect(await findToast('Refused')).toBeTruthy()
    await waitFor(() => expect(noteOf(page.field('Email'))).toBe('Refused'))
  })

  it('a login without an answer is tried again by the next registration', async () => {
    const page = await registerTwice('email_not_verified', lost)
    expect(await findToast(/^The server could not be reached/)).toBeTruthy()
    expect(page.button('Register').disabled).toBe(false)
  })

  it.each([
    ['with another password', 'username_taken', 'x'],
    ['for another reason', 'referral_refused', ''],
  ])('a refusal %s signs nobody in', async (_, code, between) => {
    const page = await registerTwice(code, json(member), between)
    expect(await findToast('Refused')).toBeTruthy()
    expect(page.routes()).not.toContain('POST /api/login')
  })
})

it('a refusal of the first try signs nobody in', async () => {
  const page = await openRegister({
    'POST /api/register': refusal(409, 'Email is already in use', 'email_taken'),
  })
  await fillIn(page)
  await verify(page)
  await register(page)
  await waitFor(() => expect(noteOf(page.field('Email'))).toBe('Email is already in use'))
  expect(page.routes()).not.toContain('POST /api/login')
})

it.each(['referral_refused', 'referral_unknown'])(
  'a registration that is refused with %s marks the referral code',
  async (code) => {
    const page = await openRegister({
      'POST /api/register': refusal(400, 'This code cannot be used', code),
    })
    await fillIn(page)
    await page.enter('Referral code', 'TESPAB12CD')
    await verify(page)
    await register(page)
    expect(await findToast('Registration failed')).toBeTruthy()
    const field = page.field('Referral code')
    await waitFor(() => expect(noteOf(field)).toBe('This code cannot be used'))
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await isFocused(field)
  },
)
