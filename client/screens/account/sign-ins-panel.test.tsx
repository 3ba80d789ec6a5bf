import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { aUser, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { type Handlers, json, lost, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import { SignInsPanel } from './sign-ins-panel.tsx'

const LIST = 'GET /api/user/sign-ins'
const mai = aUser()
const at = new Date(NOW).toISOString()
const own = {
  id: 'a',
  device: 'Firefox on Linux',
  network: '198.51.x.x',
  signedInAt: at,
  lastSeenAt: at,
  current: true,
}
const phone = {
  ...own,
  id: 'b',
  device: 'Safari on iPhone',
  network: '203.0.x.x',
  current: false,
}
const succeeded = () => json({ success: true, message: '' })

beforeEach(() => startAs(mai))
afterEach(() => {
  act(() => clearToast())
  vi.unstubAllGlobals()
})

function open(handlers: Handlers = {}) {
  const server = serve({ [LIST]: () => json({ signIns: [own, phone] }), ...handlers })
  show(<SignInsPanel />)
  const sentTo = (route: string) => server.sent.filter((sent) => sent.route === route)
  return { user: userEvent.setup({ delay: null }), sentTo }
}

/** Opens the dialog of a button and types the password into its first field. */
async function confirm(user: ReturnType<typeof userEvent.setup>, button: string) {
  await screen.findByText(phone.device)
  await user.click(screen.getByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText(/^(Current p|P)assword$/), 'my password')
  return dialog
}

it('each sign-in shows device, network and last request; this one has no button', async () => {
  open()
  const items = await screen.findAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'Firefox on LinuxThis device · network 198.51.x.x',
    expect.stringMatching(/^Safari on iPhoneLast seen .*2026.* · network 203\.0\.x\.xSign out$/),
  ])
})

it('one sign-in is ended with the password, and the list is read again', async () => {
  const route = 'POST /api/user/sign-ins/end'
  const { user, sentTo } = open({ [route]: succeeded })
  const dialog = await confirm(user, 'Sign out Safari on iPhone')
  const reads = sentTo(LIST).length
  await user.click(dialog.getByRole('button', { name: 'Sign out' }))
  await findToast('Signed out there')
  expect(sentTo(route).map(({ body }) => body)).toEqual([
    { signInId: 'b', password: 'my password' },
  ])
  await waitFor(() => expect(sentTo(LIST).length).toBeGreaterThan(reads))
})

it('the row of a sign-in that has ended leaves the focus in the panel', async () => {
  let signIns = [own, phone]
  const { user } = open({
    [LIST]: () => json({ signIns }),
    'POST /api/user/sign-ins/end': () => {
      signIns = [own]
      return succeeded()
    },
  })
  const dialog = await confirm(user, 'Sign out Safari on iPhone')
  act(() => dialog.getByRole('button', { name: 'Sign out' }).focus())
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByText(phone.device)).toBeNull())
  const panel = screen.getByRole('region', { name: 'Sign-ins' })
  await waitFor(() => expect(document.activeElement).toBe(panel))
})

it('all other sign-ins are ended with the password', async () => {
  const route = 'POST /api/user/sign-ins/end-others'
  const { user, sentTo } = open({ [route]: succeeded })
  const dialog = await confirm(user, 'Sign out everywhere else')
  await user.click(dialog.getByRole('button', { name: 'Sign out' }))
  await findToast('Signed out everywhere else')
  expect(sentTo(route).map(({ body }) => body)).toEqual([{ password: 'my password' }])
})

it('without other sign-ins there is nothing to sign out', async () => {
  open({ [LIST]: () => json({ signIns: [own] }) })
  await screen.findByText('Firefox on Linux')
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Sign out everywhere else' })
  expect(button.disabled).toBe(true)
})

it('a wrong password marks its field and ends nothing', async () => {
  const { user } = open({
    'POST /api/user/sign-ins/end-others': () =>
      refusal(403, 'Password is not correct', 'wrong_password'),
  })
  const dialog = await confirm(user, 'Sign out everywhere else')
  await user.click(dialog.getByRole('button', { name: 'Sign out' }))
  await dialog.findByText('Password is not correct')
})

it('a list that cannot be loaded can be read again', async () => {
  let isLost = true
  const { user } = open({ [LIST]: () => (isLost ? lost() : json({ signIns: [own] })) })
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  isLost = false
  await user.click(retry)
  await screen.findByText('Firefox on Linux')
})

it('the password is changed with the old one; a lost answer is asked for once more', async () => {
  const route = 'POST /api/user/password'
  let answers = 0
  const { user, sentTo } = open({
    [route]: () => {
      answers += 1
      return answers === 1 ? lost() : succeeded()
    },
  })
  const dialog = await confirm(user, 'Change password')
  await user.type(dialog.getByLabelText('New password'), 'Another horse 2')
  await user.type(dialog.getByLabelText('Confirm password'), 'Another horse 2')
  await user.click(dialog.getByRole('button', { name: 'Change password' }))
  await findToast('Password changed')
  const sent = sentTo(route)
  expect(sent.map(({ body }) => body)).toEqual(
    Array(2).fill({ password: 'my password', newPassword: 'Another horse 2' }),
  )
  const [key, again] = sent.map(({ headers }) => headers.get('Idempotency-Key'))
  expect(key).toBeTruthy()
  expect(again).toBe(key)
})

it('a new password that is repeated differently is not sent', async () => {
  const { user, sentTo } = open()
  const dialog = await confirm(user, 'Change password')
  await user.type(dialog.getByLabelText('New password'), 'Another horse 2')
  await user.type(dialog.getByLabelText('Confirm password'), 'Another horse 3')
  await user.click(dialog.getByRole('button', { name: 'Change password' }))
  await dialog.findByText('Passwords do not match')
  expect(sentTo('POST /api/user/password')).toEqual([])
})
