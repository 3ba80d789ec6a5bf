import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { aUser, NOW } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { type Handlers, json, lost, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import type { RouteName } from '#contract/routes'
import type { SignInFactors } from '#rules/members/account-snapshots'
import { FactorsPanel } from './factors-panel.tsx'

const READ = 'GET /api/user/factors'
const mai = aUser()
const at = new Date(NOW).toISOString()
const none: SignInFactors = { passkeys: [], authenticator: null }
const key = { id: 1, name: 'Phone', addedAt: at, lastUsedAt: null, backedUp: true }
const withCodes: SignInFactors = {
  passkeys: [key],
  authenticator: { since: at, recoveryCodesLeft: 1 },
}
const codes = Array.from({ length: 10 }, (_, n) => `abcde-fghi${n}`)

beforeEach(() => startAs(mai))
afterEach(() => {
  act(() => clearToast())
  vi.unstubAllGlobals()
})

function open(handlers: Handlers = {}) {
  const server = serve({ [READ]: () => json(none), ...handlers })
  show(<FactorsPanel />)
  return { user: userEvent.setup({ delay: null }), sent: server.sent }
}
const openDialog = async (user: ReturnType<typeof userEvent.setup>, name: string) => {
  await user.click(await screen.findByRole('button', { name }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Password'), 'my password')
  return dialog
}

it('passkeys and codes that are on are listed; a browser without passkeys adds none', async () => {
  open({ [READ]: () => json(withCodes) })
  const item = await screen.findByRole('listitem')
  expect(item.textContent).toMatch(/^PhoneNot used yetAdded .*2026 · synced/)
  expect(screen.getByText(/1 recovery code left\.$/)).toBeTruthy()
  expect(screen.getByText('This browser cannot add passkeys here.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
})

const setUp: Handlers = {
  'POST /api/user/authenticator/set-up': json({
    secret: 'ABCDEFGH',
    uri: 'otpauth://totp/T:mai?secret=ABCDEFGH',
  }),
}

it('a set-up that was closed at its code begins with the password again', async () => {
  const { user } = open(setUp)
  const dialog = await openDialog(user, 'Set up an authenticator app')
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  await dialog.findByText('ABCD EFGH')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await openDialog(user, 'Set up an authenticator app')
})

it('recovery codes stay on screen until they are saved, although the codes are on meanwhile', async () => {
  let isOn = false
  const { user, sent } = open({
    [READ]: () => json(isOn ? withCodes : none),
    ...setUp,
    'POST /api/user/authenticator/confirm': () => {
      isOn = true
      return json({ recoveryCodes: codes })
    },
  })
  const dialog = await openDialog(user, 'Set up an authenticator app')
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  expect(await dialog.findByText('ABCD EFGH')).toBeTruthy()
  await user.type(dialog.getByLabelText('Code'), '123456{Enter}')
  await screen.findByText(/1 recovery code left/)
  const list = within(screen.getByRole('list', { name: 'Recovery codes' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(codes)
  await user.click(dialog.getByRole('button', { name: 'I have saved them' }))
  await screen.findByRole('button', { name: 'Turn off' })
  expect(screen.queryByText(codes[0] ?? '')).toBeNull()
  expect(sent.find(({ route }) => route.endsWith('confirm'))?.body).toEqual({ code: '123456' })
})

describe('a dialog that is left over new recovery codes', () => {
  const first = codes[0] ?? ''

  async function renew() {
    const { user } = open({
      [READ]: () => json(withCodes),
      'POST /api/user/authenticator/recovery-codes': json({ recoveryCodes: codes }),
    })
    const dialog = await openDialog(user, 'New recovery codes')
    await user.type(dialog.getByLabelText('Code'), '123456{Enter}')
    await dialog.findByText(first)
    return { user, dialog }
  }

  it('by Back asks once and stays at its address', async () => {
    window.history.replaceState(null, '', '/account?view=security')
    const { dialog } = await renew()
    act(() => window.history.back())
    await dialog.findByRole('alert')
    expect(screen.getByText(first)).toBeTruthy()
    act(() => window.history.back())
    await waitFor(() => expect(screen.queryByText(first)).toBeNull())
    expect(window.location.search).toBe('?view=security')
  })

  it('stays while they are on their way', async () => {
    let answer = () => {}
    const { user } = open({
      [READ]: () => json(withCodes),
      'POST /api/user/authenticator/recovery-codes': () =>
        new Promise((resolve) => {
          answer = () => resolve(json({ recoveryCodes: codes }))
        }),
    })
    const dialog = await openDialog(user, 'New recovery codes')
    await user.type(dialog.getByLabelText('Code'), '123456{Enter}')
    await user.keyboard('{Escape}')
    const mayLeave = fireEvent(window, new Event('beforeunload', { cancelable: true }))
    expect(mayLeave).toBe(false)
    answer()
    await dialog.findByText(first)
  })

  it('may be closed again after they were refused', async () => {
    const { user } = open({
      [READ]: () => json(withCodes),
      'POST /api/user/authenticator/recovery-codes': refusal(
        400,
        'Wrong password',
        'wrong_password',
      ),
    })
    const dialog = await openDialog(user, 'New recovery codes')
    await user.type(dialog.getByLabelText('Code'), '123456{Enter}')
    await dialog.findByText('Wrong password')
    expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(true)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('by its own button leaves no entry in the history', async () => {
    window.history.replaceState('before', '', '/account?view=security')
    const { user, dialog } = await renew()
    expect(window.history.state).not.toBe('before')
    await user.click(dialog.getByRole('button', { name: 'I have saved them' }))
    await waitFor(() => expect(window.history.state).toBe('before'))
  })

  it('by a reload is held back until the codes are saved', async () => {
    const mayLeave = () => fireEvent(window, new Event('beforeunload', { cancelable: true }))
    expect(mayLeave()).toBe(true)
    const { user, dialog } = await renew()
    expect(mayLeave()).toBe(false)
    await dialog.findByRole('alert')
    expect(mayLeave()).toBe(false)
    await user.click(dialog.getByRole('button', { name: 'Copy Recovery codes' }))
    await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull())
    expect(mayLeave()).toBe(true)
  })

  it.each(['Escape', 'Close'])('by %s asks once', async (way) => {
    const { user, dialog } = await renew()
    const close = () =>
      way === 'Escape'
        ? user.keyboard('{Escape}')
        : user.click(dialog.getByRole('button', { name: 'Close' }))
    await close()
    const question = within(await dialog.findByRole('alert'))
    expect(screen.getByText(first)).toBeTruthy()
    expect(question.getByRole('button', { name: 'Close without saving' })).toBeTruthy()
    await close()
    await waitFor(() => expect(screen.queryByText(first)).toBeNull())
  })

  it.each(['Download', 'Copy Recovery codes'])('after %s closes at once', async (name) => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:codes' }))
    const { user, dialog } = await renew()
    await user.click(dialog.getByRole('button', { name }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByText(first)).toBeNull())
  })
})

it('a wrong code is shown at its field', async () => {
  const { user } = open({
    [READ]: () => json(withCodes),
    'POST /api/user/authenticator/remove': refusal(
      400,
      'This code is not valid',
      'second_factor_invalid',
    ),
  })
  const dialog = await openDialog(user, 'Turn off')
  await user.type(dialog.getByLabelText('Code'), '000000{Enter}')
  await dialog.findByText('This code is not valid')
})

it('the button that turned one-time codes off and is gone leaves the focus in the panel', async () => {
  let factors = withCodes
  const { user } = open({
    [READ]: () => json(factors),
    'POST /api/user/authenticator/remove': () => {
      factors = none
      return json({ success: true })
    },
  })
  const dialog = await openDialog(user, 'Turn off')
  await user.type(dialog.getByLabelText('Code'), '123456{Enter}')
  await screen.findByRole('button', { name: 'Set up an authenticator app' })
  const panel = screen.getByRole('region', { name: 'Passkeys and one-time codes' })
  await waitFor(() => expect(document.activeElement).toBe(panel))
})

it('a new passkey takes a code while one-time codes are on, even if they came on elsewhere', async () => {
  vi.stubGlobal('PublicKeyCredential', class {})
  vi.stubGlobal('isSecureContext', true)
  const ADD = 'POST /api/user/passkeys/options'
  let isOn = false
  const { user, sent } = open({
    [READ]: () => json(isOn ? withCodes : { ...none, passkeys: withCodes.passkeys }),
    [ADD]: () => {
      isOn = true
      return refusal(400, 'Please enter the code', 'second_factor_invalid')
    },
  })
  const dialog = await openDialog(user, 'Add a passkey')
  expect(dialog.queryByLabelText('Code')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  const field = await dialog.findByLabelText('Code')
  await dialog.findByText('Please enter the code')
  await user.type(field, '123456{Enter}')
  const bodies = () => sent.filter(({ route }) => route === ADD).map(({ body }) => body)
  const password = 'my password'
  await waitFor(() => expect(bodies()).toEqual([{ password }, { password, code: '123456' }]))
})

it('a browser that makes no passkey has used the code up: the field asks for a new one', async () => {
  vi.stubGlobal('PublicKeyCredential', class {})
  vi.stubGlobal('isSecureContext', true)
  const { user } = open({
    [READ]: () => json(withCodes),
    'POST /api/user/passkeys/options': () => json({ options: {} }),
  })
  const dialog = await openDialog(user, 'Add a passkey')
  await user.type(await dialog.findByLabelText('Code'), '123456{Enter}')
  await dialog.findByText('This code is used up. Enter a new one to try again.')
})

describe('a change without an answer is not known, and the panel is read again:', () => {
  /** Every change takes effect, and no answer to it arrives. */
  async function lose(route: RouteName, before: SignInFactors, after: SignInFactors) {
    let factors = before
    const opened = open({
      [READ]: () => json(factors),
      'POST /api/user/authenticator/set-up': json({ secret: 'ABCDEFGH', uri: 'otpauth://totp' }),
      [route]: () => {
        factors = after
        return lost()
      },
    })
    return opened.user
  }
  const renewed = { ...withCodes, authenticator: { since: at, recoveryCodesLeft: 10 } }

  it('one-time codes that are on, without their recovery codes', async () => {
    const user = await lose('POST /api/user/authenticator/confirm', none, renewed)
    const dialog = await openDialog(user, 'Set up an authenticator app')
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    await user.type(await dialog.findByLabelText('Code'), '123456{Enter}')
    await findToast('It is not known whether this worked')
    await findToast('If one-time codes are on now, get new recovery codes.')
    await screen.findByText(/10 recovery codes left\.$/)
  })

  it('recovery codes that are replaced', async () => {
    const user = await lose('POST /api/user/authenticator/recovery-codes', withCodes, renewed)
    const dialog = await openDialog(user, 'New recovery codes')
    await user.type(dialog.getByLabelText('Code'), '123456{Enter}')
    await findToast('Get new recovery codes: the earlier ones may not work any more.')
    await screen.findByText(/10 recovery codes left\.$/)
  })

  it('one-time codes that are off', async () => {
    const user = await lose('POST /api/user/authenticator/remove', withCodes, none)
    const dialog = await openDialog(user, 'Turn off')
    await user.type(dialog.getByLabelText('Code'), '123456{Enter}')
    await findToast('This page shows it as soon as the server answers.')
    await screen.findByRole('button', { name: 'Set up an authenticator app' })
  })

  it('a passkey that is removed', async () => {
    const user = await lose('POST /api/user/passkeys/remove', withCodes, none)
    const dialog = await openDialog(user, 'Remove Phone')
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await findToast('It is not known whether this worked')
    await waitFor(() => expect(screen.queryByText('Phone')).toBeNull())
  })
})

it('a set-up without an answer has switched nothing on', async () => {
  const { user } = open({ 'POST /api/user/authenticator/set-up': lost })
  const dialog = await openDialog(user, 'Set up an authenticator app')
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  await findToast('One-time codes were not turned on')
})

it('a panel that cannot be loaded can be read again', async () => {
  let isLost = true
  const { user } = open({ [READ]: () => (isLost ? lost() : json(none)) })
  const retry = await screen.findByRole('button', { name: 'Try Again' })
  isLost = false
  await user.click(retry)
  await screen.findByRole('button', { name: 'Set up an authenticator app' })
})
