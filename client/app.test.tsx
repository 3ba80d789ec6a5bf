import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { App } from '#client/app.tsx'
import { setUser } from './data/member-data.ts'
import { member, type Replies, refuse, serve } from './screens/auth/testing/fake-server.ts'
import { show, standAt } from './screens/auth/testing/show.tsx'
import { findToast } from './screens/testing/find-toast.ts'

const anonymous: Replies = { 'GET /api/user': refuse(401, 'Not signed in', 'not_signed_in') }
const signedIn: Replies = { 'GET /api/user': { body: member } }

function openAt(path: string, replies: Replies) {
  standAt(path)
  const requests = serve(replies)
  return { user: show(<App />), requests }
}

const path = () => window.location.pathname
const loginTab = () => screen.findByRole('tab', { name: 'Login' }, { timeout: 4_000 })
const navigation = () => screen.findByRole('navigation', { name: 'Main' })

describe('the app', () => {
  beforeEach(() => {
    vi.unstubAllGlobals()
  })

  it('shows a spinner while it is unknown who is signed in', async () => {
    openAt('/wallet', signedIn)
    expect(within(screen.getByRole('main')).getByRole('status').textContent).toBe('Loading')
    expect(await navigation()).toBeTruthy()
    expect(path()).toBe('/wallet')
  })

  it('leads an anonymous visitor to /auth', async () => {
    openAt('/wallet', anonymous)
    await loginTab()
    expect(path()).toBe('/auth')
    expect(document.title).toBe('Sign in · TESP Network')
  })

  it('leads back to where the visitor wanted to go', async () => {
    openAt('/wallet', anonymous)
    await loginTab()
    act(() => setUser(member))
    await waitFor(() => expect(path()).toBe('/wallet'))
    expect(document.title).toBe('Wallet · TESP Network')
  })

  it('leads a member from /auth over the redirect screen to /mine', async () => {
    openAt('/auth', signedIn)
    expect(await screen.findByText('Redirecting to mining dashboard...')).toBeTruthy()
    expect(path()).toBe('/')
    await waitFor(() => expect(path()).toBe('/mine'), { timeout: 2_000 })
  })

  it('offers to try again when the account cannot be loaded', async () => {
    let up = false
    const { user } = openAt('/wallet', { 'GET /api/user': () => (up ? { body: member } : 'lost') })
    const again = await screen.findByRole('button', { name: 'Try Again' })
    up = true
    await user.click(again)
    expect(await navigation()).toBeTruthy()
  })

  it('says that a page does not exist, to anybody', () => {
    openAt('/nowhere', anonymous)
    expect(screen.getByRole('heading', { name: '404 Page Not Found' })).toBeTruthy()
    expect(screen.getByText('Did you forget to add the page to the router?')).toBeTruthy()
    expect(document.title).toBe('Page not found · TESP Network')
  })

  it('marks where one is, and moves title and focus along', async () => {
    const { user } = openAt('/mine', signedIn)
    await navigation()
    const link = (name: string) => screen.getByRole('link', { name })
    expect(link('Mine').getAttribute('aria-current')).toBe('page')
    await user.click(link('Wallet'))
    expect(path()).toBe('/wallet')
    expect(link('Wallet').getAttribute('aria-current')).toBe('page')
    expect(link('Mine').hasAttribute('aria-current')).toBe(false)
    expect(document.title).toBe('Wallet · TESP Network')
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })

  it('answers More with a tooltip and stays where it is', async () => {
    const { user } = openAt('/mine', signedIn)
    await navigation()
    await user.click(screen.getByRole('button', { name: 'More' }))
    expect((await screen.findByRole('tooltip')).textContent).toBe('Coming soon')
    expect(path()).toBe('/mine')
  })

  it('shows who is signed in behind the avatar', async () => {
    const { user } = openAt('/mine', signedIn)
    await user.click(await screen.findByRole('button', { name: 'Account menu of anh' }))
    expect(await screen.findByText('anh@example.com')).toBeTruthy()
    const account = screen.getByRole('menuitem', { name: 'Account' })
    expect(account.getAttribute('href')).toBe('/account')
  })

  it('logs out to /auth', async () => {
    const { user } = openAt('/mine', { ...signedIn, 'POST /api/logout': { body: { ok: true } } })
    await user.click(await screen.findByRole('button', { name: 'Account menu of anh' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }))
    expect(await findToast('Logged out')).toBeTruthy()
    expect(await findToast("You've been successfully logged out.")).toBeTruthy()
    await loginTab()
    expect(path()).toBe('/auth')
  })

  it('says why a logout failed and keeps the member signed in', async () => {
    const { user } = openAt('/mine', { ...signedIn, 'POST /api/logout': refuse(503, 'Try later') })
    await user.click(await screen.findByRole('button', { name: 'Account menu of anh' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }))
    expect(await findToast('Logout failed')).toBeTruthy()
    expect(await findToast('Try later')).toBeTruthy()
    expect(path()).toBe('/mine')
  })

  it('says on every page that the mining is simulated', async () => {
    openAt('/auth', anonymous)
    await loginTab()
    expect(screen.getByText(/points with no cash value/)).toBeTruthy()
    act(() => setUser(member))
    await navigation()
    expect(screen.getByText(/points with no cash value/)).toBeTruthy()
  })
})
