import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { App } from '#client/app.tsx'
import { type Handlers, json, lost, refusal, serve } from '#client/testing/server.ts'
import { setUser } from './data/member-data.ts'
import { member, showInNewStore, standAt } from './screens/auth/testing/new-store.tsx'
import { findToast } from './screens/testing/find-toast.ts'

const anonymous: Handlers = { 'GET /api/user': refusal(401, 'Not signed in', 'not_signed_in') }
const signedIn: Handlers = { 'GET /api/user': json(member) }

function openAt(path: string, handlers: Handlers) {
  standAt(path)
  serve(handlers)
  return { user: showInNewStore(<App />) }
}

const path = () => window.location.pathname
const loginTab = () => screen.findByRole('tab', { name: 'Login' })
const navigation = () => screen.findByRole('navigation', { name: 'Main' })

describe('the app', () => {
  beforeEach(() => {
    vi.unstubAllGlobals()
  })

  it('a spinner is shown while the signed-in user is unknown', async () => {
    openAt('/wallet', signedIn)
    expect(within(screen.getByRole('main')).getByRole('status').textContent).toBe('Loading')
    expect(await navigation()).toBeTruthy()
    expect(path()).toBe('/wallet')
  })

  it('a visitor is redirected to /auth', async () => {
    openAt('/wallet', anonymous)
    await loginTab()
    expect(path()).toBe('/auth')
    expect(document.title).toBe('Sign in · TESP Network')
  })

  it('a visitor returns to the requested page after signing in', async () => {
    openAt('/wallet', anonymous)
    await loginTab()
    act(() => setUser(member))
    await waitFor(() => expect(path()).toBe('/wallet'))
    await waitFor(() => expect(document.title).toBe('Wallet · TESP Network'))
  })

  it('a member is redirected from /auth to /mine by the redirect screen', async () => {
    openAt('/auth', signedIn)
    expect(await screen.findByText('Redirecting to mining dashboard...')).toBeTruthy()
    expect(path()).toBe('/')
    await waitFor(() => expect(path()).toBe('/mine'))
  })

  it('an account that cannot be loaded can be loaded again', async () => {
    let up = false
    const { user } = openAt('/wallet', { 'GET /api/user': () => (up ? json(member) : lost()) })
    const again = await screen.findByRole('button', { name: 'Try Again' })
    up = true
    await user.click(again)
    expect(await navigation()).toBeTruthy()
  })

  it('an unknown path shows the 404 page to visitors', () => {
    openAt('/nowhere', anonymous)
    expect(screen.getByRole('heading', { name: '404 Page Not Found' })).toBeTruthy()
    expect(screen.getByText('Did you forget to add the page to the router?')).toBeTruthy()
    expect(document.title).toBe('Page not found · TESP Network')
  })

  it('the navigation marks the current page and moves title and focus with it', async () => {
    const { user } = openAt('/mine', signedIn)
    await navigation()
    const link = (name: string) => screen.getByRole('link', { name })
    expect(link('Mine').getAttribute('aria-current')).toBe('page')
    await user.click(link('Wallet'))
    await waitFor(() => expect(path()).toBe('/wallet'))
    expect(link('Wallet').getAttribute('aria-current')).toBe('page')
    expect(link('Mine').hasAttribute('aria-current')).toBe(false)
    await waitFor(() => expect(document.title).toBe('Wallet · TESP Network'))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
  })

  it('More shows a tooltip and does not navigate', async () => {
    const { user } = openAt('/mine', signedIn)
    await navigation()
    await user.click(screen.getByRole('button', { name: 'More' }))
    expect((await screen.findByRole('tooltip')).textContent).toBe('Coming soon')
    expect(path()).toBe('/mine')
  })

  it('the avatar menu shows the signed-in member', async () => {
    const { user } = openAt('/mine', signedIn)
    await user.click(await screen.findByRole('button', { name: 'Account menu of anh' }))
    expect(await screen.findByText('anh@example.com')).toBeTruthy()
    const account = screen.getByRole('menuitem', { name: 'Account' })
    expect(account.getAttribute('href')).toBe('/account')
  })

  it('Logout leads to /auth', async () => {
    const { user } = openAt('/mine', { ...signedIn, 'POST /api/logout': json({ ok: true }) })
    await user.click(await screen.findByRole('button', { name: 'Account menu of anh' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }))
    expect(await findToast('Logged out')).toBeTruthy()
    expect(await findToast("You've been successfully logged out.")).toBeTruthy()
    await loginTab()
    expect(path()).toBe('/auth')
  })

  it('a failed logout shows its reason and keeps the member signed in', async () => {
    const { user } = openAt('/mine', { ...signedIn, 'POST /api/logout': refusal(503, 'Try later') })
    await user.click(await screen.findByRole('button', { name: 'Account menu of anh' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }))
    expect(await findToast('Logout failed')).toBeTruthy()
    expect(await findToast('Try later')).toBeTruthy()
    expect(path()).toBe('/mine')
  })

  it('public and member pages state that the mining is simulated', async () => {
    openAt('/auth', anonymous)
    await loginTab()
    expect(screen.getByText(/points with no cash value/)).toBeTruthy()
    act(() => setUser(member))
    await navigation()
    expect(screen.getByText(/points with no cash value/)).toBeTruthy()
  })
})
