import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { type Handlers, json, lost, refusal, serve } from '#client/testing/server.ts'
import { Toaster } from '#client/ui/toast.tsx'
import { LoginForm } from './login-form.tsx'
import { member, said, show, standAt } from './testing/show.tsx'

function open(replies: Handlers = {}) {
  const { sent: requests } = serve(replies)
  return {
    user: show(
      <>
        <LoginForm />
        <Toaster />
      </>,
    ),
    requests,
  }
}

const identifier = () => screen.getByLabelText('Username or email')
const password = () => screen.getByLabelText('Password')
const login = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Login' })

describe('the login form', () => {
  beforeEach(() => {
    vi.unstubAllGlobals()
    standAt('/auth')
  })

  it('says under each field what is missing and leads to the first', async () => {
    const { user, requests } = open()
    await user.click(login())
    expect(await screen.findByText('Username or email is required')).toBeTruthy()
    expect(screen.getByText('Password is required')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(identifier()))
    expect(requests).toEqual([])
  })

  it('says what is missing when a field is left', async () => {
    const { user } = open()
    await user.click(identifier())
    await user.tab()
    expect(await screen.findByText('Username or email is required')).toBeTruthy()
    expect(screen.queryByText('Password is required')).toBeNull()
  })

  it('signs the member in and welcomes them', async () => {
    const { user, requests } = open({ 'POST /api/login': json(member) })
    await user.type(identifier(), ' anh ')
    await user.type(password(), 'secret123')
    await user.click(screen.getByLabelText('Remember me'))
    await user.click(login())
    expect(await said('Login successful')).toBeTruthy()
    expect(await said('Welcome back, anh!')).toBeTruthy()
    expect(requests[0]?.body).toEqual({
      identifier: 'anh',
      password: 'secret123',
      rememberMe: true,
    })
    expect(currentUser()).toEqual(member)
  })

  it('repeats what the server says against it, and can be tried again', async () => {
    const { user } = open({
      'POST /api/login': refusal(401, 'Wrong password', 'wrong_credentials'),
    })
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret124{Enter}')
    expect(await said('Login failed')).toBeTruthy()
    expect(await said('Wrong password')).toBeTruthy()
    expect(login().disabled).toBe(false)
    expect(currentUser()).toBeNull()
  })

  it('says that nobody answered', async () => {
    const { user } = open({ 'POST /api/login': lost })
    await user.type(identifier(), 'anh')
    await user.type(password(), 'secret123{Enter}')
    expect(await said(/could not be reached/)).toBeTruthy()
  })

  it('shows and hides the password', async () => {
    const { user } = open()
    expect(password().getAttribute('type')).toBe('password')
    await user.click(screen.getByRole('button', { name: 'Show password' }))
    expect(password().getAttribute('type')).toBe('text')
    await user.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(password().getAttribute('type')).toBe('password')
  })

  it('leads to the password reset', () => {
    open()
    const link = screen.getByRole('link', { name: 'Forgot password' })
    expect(link.getAttribute('href')).toBe('/reset-password')
  })
})
