import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { App } from '#client/app.tsx'
import { type Handlers, json, refusal, serve } from '#client/testing/server.ts'
import { member, showInNewStore, standAt } from './screens/auth/testing/new-store.tsx'

const anonymous: Handlers = { 'GET /api/user': refusal(401, 'Not signed in', 'not_signed_in') }
const signedIn: Handlers = { 'GET /api/user': json(member) }

function openAt(path: string, handlers: Handlers) {
  standAt(path)
  serve(handlers)
  return showInNewStore(<App />)
}

const path = () => window.location.pathname
const navigation = () => screen.findByRole('navigation', { name: 'Main' })

const titles = [
  ['/mine', 'Mine'],
  ['/wallet', 'Wallet'],
  ['/swap', 'Swap'],
  ['/network', 'Network'],
  ['/team', 'Team'],
  ['/tasks', 'Tasks'],
  ['/account', 'Account'],
] as const

beforeEach(() => {
  vi.unstubAllGlobals()
})

describe('member routes', () => {
  it.each(['/', ...titles.map(([route]) => route)])(
    'route %s redirects a visitor to /auth',
    async (route) => {
      openAt(route, anonymous)
      await waitFor(() => expect(path()).toBe('/auth'))
    },
  )

  it.each(titles)('route %s is shown to a member under the title %s', async (route, title) => {
    openAt(route, signedIn)
    await navigation()
    expect(path()).toBe(route)
    await waitFor(() => expect(document.title).toBe(`${title} · TESP Network`))
  })
})

it('a view of Account has its own title, and returning focuses the row that led to it', async () => {
  openAt('/account', { ...signedIn, 'GET /api/user/sign-ins': json({ signIns: [] }) })
  fireEvent.click(await screen.findByRole('link', { name: /^Security/ }))
  const heading = await screen.findByRole('heading', { level: 1, name: 'Security' })
  expect(document.activeElement).toBe(heading)
  expect(document.title).toBe('Security · TESP Network')
  fireEvent.click(screen.getByRole('link', { name: 'Back to Account' }))
  const row = await screen.findByRole('link', { name: /^Security/ })
  expect(document.activeElement).toBe(row)
  expect(document.title).toBe('Account · TESP Network')
})

it('a member who cannot be loaded gets a page with a heading and a retry', async () => {
  openAt('/mine', { 'GET /api/user': refusal(500, 'Something went wrong') })
  const name = 'Your account could not be loaded'
  await screen.findByRole('heading', { level: 1, name })
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeTruthy()
})

describe('public routes', () => {
  it('/auth with a ref parameter opens the register tab with the code', async () => {
    openAt('/auth?ref=TESPAB12CD', anonymous)
    const code = await screen.findByLabelText<HTMLInputElement>('Referral code')
    expect(code.value).toBe('TESPAB12CD')
    expect(screen.getByRole('tab', { name: 'Register' }).getAttribute('aria-selected')).toBe('true')
  })

  it('/reset-password is shown to visitors', async () => {
    openAt('/reset-password', anonymous)
    expect(await screen.findByRole('tab', { name: 'Forgot Password' })).toBeTruthy()
    expect(path()).toBe('/reset-password')
  })

  it('/verify is shown to visitors under its own title', async () => {
    openAt('/verify', anonymous)
    await screen.findByRole('heading', { name: 'Verify a proof' })
    await waitFor(() => expect(document.title).toBe('Verify a proof · TESP Network'))
  })
})

describe('the layout for members', () => {
  it('the member layout has a sticky header with logo, name and tagline, and a footer', async () => {
    openAt('/swap', signedIn)
    await navigation()
    const header = screen.getByRole('banner')
    expect(header.className).toContain('sticky')
    expect(within(header).getByText('TESP Network')).toBeTruthy()
    expect(within(header).getByText('AI-Powered Mining')).toBeTruthy()
    expect(header.querySelector('svg')).toBeTruthy()
    const footer = within(screen.getByRole('contentinfo'))
    expect(footer.getAllByRole('link').map((link) => link.textContent)).toEqual(['Service status'])
  })

  it('the member navigation has five columns', async () => {
    openAt('/swap', signedIn)
    const items = within(await navigation())
    expect(items.getByRole('list').className).toContain('grid-cols-5')
    const links = items.getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Mine', '/mine'],
      ['Wallet', '/wallet'],
      ['Tasks', '/tasks'],
      ['Team', '/team'],
    ])
    expect(items.getByRole('button').textContent).toBe('More')
    expect(items.getAllByRole('listitem')).toHaveLength(5)
  })
})
