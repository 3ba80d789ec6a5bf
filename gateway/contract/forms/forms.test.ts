import { describe, expect, it } from 'vitest'
import { type AnyObjectSchema, ValidationError } from 'yup'
import { API_TEXTS } from '#rules/api-texts'
import { PASSWORD_MAX } from '#rules/constants'
import { kycForm } from './document.ts'
import { profileForm } from './profile.ts'
import {
  forgotForm,
  loginForm,
  registerBody,
  registerForm,
  resetForm,
  sendOtpForm,
  verifyOtpForm,
} from './sign-in.ts'

/** The first message of each invalid field. */
function errorsOf(form: AnyObjectSchema, values: object): Record<string, string> {
  try {
    form.validateSync(values, { abortEarly: false })
    return {}
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const inner = error.inner.toReversed()
    return Object.fromEntries(inner.map(({ path, message }) => [path ?? '', message]))
  }
}

describe('login form', () => {
  const valid = { identifier: 'mai', password: 'x' }

  it('the login form requires an identifier', () => {
    expect(errorsOf(loginForm, valid)).toEqual({})
    expect(errorsOf(loginForm, { ...valid, identifier: '' })).toEqual({
      identifier: 'Username or email is required',
    })
  })

  it('the login form requires a password', () => {
    expect(errorsOf(loginForm, { ...valid, password: '' })).toEqual({
      password: 'Password is required',
    })
  })

  it('the messages of texts that are too long have translations', () => {
    const long = { identifier: 'x'.repeat(255), password: 'x'.repeat(PASSWORD_MAX + 1) }
    expect(errorsOf(loginForm, long)).toEqual({
      identifier: API_TEXTS.emailInvalid,
      password: API_TEXTS.passwordLong,
    })
  })
})

describe('register form', () => {
  const valid = {
    username: 'mai',
    email: 'mai@example.com',
    password: 'lowercase',
    confirmPassword: 'lowercase',
    otp: '123456',
  }
  const errors = (more: object) => errorsOf(registerForm, { ...valid, ...more })

  it('the register form requires a user name of three characters', () => {
    expect(errors({})).toEqual({})
    const username = 'Username must be at least 3 characters'
    expect(errors({ username: 'ma' })).toEqual({ username })
    expect(errors({ username: '' })).toEqual({ username })
  })

  it('the register form requires a valid e-mail', () => {
    expect(errors({ email: 'mai@' })).toEqual({ email: 'Invalid email address' })
  })

  it('the register form requires a password of eight characters and checks only its length', () => {
    const password = 'Password must be at least 8 characters'
    expect(errors({ password: '1234567', confirmPassword: '1234567' })).toEqual({ password })
    expect(errors({ password: 'abcdefgh', confirmPassword: 'abcdefgh' })).toEqual({})
  })

  it('the register form reports a differing password on confirmPassword', () => {
    expect(errors({ confirmPassword: 'Lowercase' })).toEqual({
      confirmPassword: "Passwords don't match",
    })
  })

  it('the register form requires a code of six characters', () => {
    expect(errors({ otp: '12345' })).toEqual({ otp: 'OTP code must be at least 6 characters' })
  })

  it('the referral code of the register form is optional', () => {
    expect(errors({ referralCode: '' })).toEqual({})
    expect(errors({ referralCode: 'anything' })).toEqual({})
    const { confirmPassword, otp, ...body } = valid
    expect(errorsOf(registerBody, body)).toEqual({})
  })
})

describe('e-mail code', () => {
  it('the code form requires a valid e-mail', () => {
    const email = 'Please enter a valid email address'
    expect(errorsOf(sendOtpForm, { email: '' })).toEqual({ email })
    expect(errorsOf(sendOtpForm, { email: 'mai' })).toEqual({ email })
  })

  it('the code form requires a code', () => {
    expect(errorsOf(verifyOtpForm, { email: 'mai@example.com', otp: '' })).toEqual({
      otp: 'Please enter OTP code',
    })
  })
})

describe('profile form', () => {
  it('the profile form requires a user name of three characters', () => {
    const username = 'Username must be at least 3 characters'
    expect(errorsOf(profileForm, { username: 'ma' })).toEqual({ username })
  })

  it('the profile form requires a valid e-mail', () => {
    expect(errorsOf(profileForm, { email: 'mai' })).toEqual({ email: 'Please enter a valid email' })
  })

  it('full name and phone number of the profile are optional', () => {
    expect(errorsOf(profileForm, { username: 'mai', email: 'mai@example.com' })).toEqual({})
    expect(errorsOf(profileForm, { fullName: null, phone: '' })).toEqual({})
  })
})

describe('identity verification', () => {
  it('identity verification accepts three types of documents', () => {
    for (const documentType of ['passport', 'idCard', 'drivingLicense']) {
      expect(errorsOf(kycForm, { documentType })).toEqual({})
    }
    const documentType = 'Please select a document type'
    expect(errorsOf(kycForm, { documentType: 'libraryCard' })).toEqual({ documentType })
    expect(errorsOf(kycForm, {})).toEqual({ documentType })
  })
})

describe('password reset', () => {
  const valid = {
    email: 'mai@example.com',
    otp: '123456',
    newPassword: 'lowercase',
    confirmPassword: 'lowercase',
  }
  const errors = (more: object) => errorsOf(resetForm, { ...valid, ...more })

  it('the forgot form requires a valid e-mail', () => {
    expect(errorsOf(forgotForm, { email: 'mai' })).toEqual({ email: 'Invalid email address' })
  })

  it('the reset form requires the e-mail again', () => {
    expect(errors({})).toEqual({})
    expect(Object.keys(errors({ email: 'mai' }))).toEqual(['email'])
  })

  it('the reset form requires a code of six characters', () => {
    expect(errors({ otp: '12345' })).toEqual({ otp: 'OTP code must be at least 6 characters' })
  })

  it('the reset form requires a new password of eight characters', () => {
    expect(errors({ newPassword: '1234567', confirmPassword: '1234567' })).toEqual({
      newPassword: 'Password must be at least 8 characters',
    })
  })

  it('the reset form reports a differing password on confirmPassword', () => {
    expect(errors({ confirmPassword: 'other' })).toEqual({
      confirmPassword: 'Passwords do not match',
    })
  })
})
