import { describe, expect, it } from 'vitest'
import { type AnyObjectSchema, ValidationError } from 'yup'
import {
  forgotForm,
  kycForm,
  loginForm,
  profileForm,
  registerBody,
  registerForm,
  resetForm,
  sendOtpForm,
  verifyOtpForm,
} from './forms.ts'

/** The first message of each field that is wrong. */
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

describe('the login form', () => {
  const fine = { identifier: 'mai', password: 'x' }

  it('requires an identifier', () => {
    expect(errorsOf(loginForm, fine)).toEqual({})
    expect(errorsOf(loginForm, { ...fine, identifier: '' })).toEqual({
      identifier: 'Username or email is required',
    })
  })

  it('requires a password', () => {
    expect(errorsOf(loginForm, { ...fine, password: '' })).toEqual({
      password: 'Password is required',
    })
  })
})

describe('the register form', () => {
  const fine = {
    username: 'mai',
    email: 'mai@example.com',
    password: 'lowercase',
    confirmPassword: 'lowercase',
    otp: '123456',
  }
  const errors = (more: object) => errorsOf(registerForm, { ...fine, ...more })

  it('wants a user name of three characters', () => {
    expect(errors({})).toEqual({})
    const username = 'Username must be at least 3 characters'
    expect(errors({ username: 'ma' })).toEqual({ username })
    expect(errors({ username: '' })).toEqual({ username })
  })

  it('wants a valid e-mail address', () => {
    expect(errors({ email: 'mai@' })).toEqual({ email: 'Invalid email address' })
  })

  it('wants a password of eight characters, and nothing but its length', () => {
    const password = 'Password must be at least 8 characters'
    expect(errors({ password: '1234567', confirmPassword: '1234567' })).toEqual({ password })
    expect(errors({ password: 'abcdefgh', confirmPassword: 'abcdefgh' })).toEqual({})
  })

  it('reports on confirmPassword that it differs', () => {
    expect(errors({ confirmPassword: 'Lowercase' })).toEqual({
      confirmPassword: "Passwords don't match",
    })
  })

  it('wants a code of six characters', () => {
    expect(errors({ otp: '12345' })).toEqual({ otp: 'OTP code must be at least 6 characters' })
  })

  it('takes a referral code or none', () => {
    expect(errors({ referralCode: '' })).toEqual({})
    expect(errors({ referralCode: 'anything' })).toEqual({})
    const { confirmPassword, otp, ...body } = fine
    expect(errorsOf(registerBody, body)).toEqual({})
  })
})

describe('the code by e-mail', () => {
  it('is sent to a valid address', () => {
    const email = 'Please enter a valid email address'
    expect(errorsOf(sendOtpForm, { email: '' })).toEqual({ email })
    expect(errorsOf(sendOtpForm, { email: 'mai' })).toEqual({ email })
  })

  it('is asked for where it is empty', () => {
    expect(errorsOf(verifyOtpForm, { email: 'mai@example.com', otp: '' })).toEqual({
      otp: 'Please enter OTP code',
    })
  })
})

describe('the profile form', () => {
  it('wants a user name of three characters', () => {
    const username = 'Username must be at least 3 characters'
    expect(errorsOf(profileForm, { username: 'ma' })).toEqual({ username })
  })

  it('wants a valid e-mail address', () => {
    expect(errorsOf(profileForm, { email: 'mai' })).toEqual({ email: 'Please enter a valid email' })
  })

  it('needs neither a full name nor a phone number', () => {
    expect(errorsOf(profileForm, { username: 'mai', email: 'mai@example.com' })).toEqual({})
    expect(errorsOf(profileForm, { fullName: null, phone: '' })).toEqual({})
  })
})

describe('the identity verification', () => {
  it('wants one of three types of documents', () => {
    for (const documentType of ['passport', 'idCard', 'drivingLicense']) {
      expect(errorsOf(kycForm, { documentType })).toEqual({})
    }
    const documentType = 'Please select a document type'
    expect(errorsOf(kycForm, { documentType: 'libraryCard' })).toEqual({ documentType })
    expect(errorsOf(kycForm, {})).toEqual({ documentType })
  })
})

describe('the password reset', () => {
  const fine = {
    email: 'mai@example.com',
    otp: '123456',
    newPassword: 'lowercase',
    confirmPassword: 'lowercase',
  }
  const errors = (more: object) => errorsOf(resetForm, { ...fine, ...more })

  it('is asked for with a valid e-mail address', () => {
    expect(errorsOf(forgotForm, { email: 'mai' })).toEqual({ email: 'Invalid email address' })
  })

  it('wants the address again', () => {
    expect(errors({})).toEqual({})
    expect(Object.keys(errors({ email: 'mai' }))).toEqual(['email'])
  })

  it('wants a code of six characters', () => {
    expect(errors({ otp: '12345' })).toEqual({ otp: 'OTP code must be at least 6 characters' })
  })

  it('wants a new password of eight characters', () => {
    expect(errors({ newPassword: '1234567', confirmPassword: '1234567' })).toEqual({
      newPassword: 'Password must be at least 8 characters',
    })
  })

  it('reports on confirmPassword that it differs', () => {
    expect(errors({ confirmPassword: 'other' })).toEqual({
      confirmPassword: 'Passwords do not match',
    })
  })
})
