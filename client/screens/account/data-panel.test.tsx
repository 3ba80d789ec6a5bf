import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser, userAtom } from '#client/data/member-data.ts'
import { store } from '#client/data/query-cache.ts'
import { storage } from '#client/data/storage.ts'
import { rememberedTasks, rememberTask } from '#client/screens/tasks/completed-tasks.ts'
import { findToast } from '#client/screens/testing/find-toast.ts'
import { followSignIn } from '#client/sign-in/sign-in.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { isDisabled } from '#client/testing/is-disabled.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { catchSavedFiles, type SavedFile } from '#client/testing/saved-files.ts'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import { DataPanel } from './data-panel.tsx'

let saved: SavedFile[] = []

const mai = aUser()
let unsubscribes: (() => void)[] = []

beforeEach(() => {
  saved = catchSavedFiles()
  startAs(mai)
  unsubscribes = [store.sub(userAtom, () => {}), followSignIn()]
})
afterEach(() => {
  for (const unsubscribe of unsubscribes) unsubscribe()
  act(() => clearToast())
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

type Handlers = Parameters<typeof serve>[0]

async function open(button: string, handlers: Handlers = {}) {
  const server = serve(handlers)
  show(<DataPanel user={mai} />)
  const user = userEvent.setup({ delay: null })
  await user.click(screen.getByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog', { name: button }))
  const bodies = (route: string) =>
    server.sent
      .filter((sent) => sent.route === route)
      .map(({ init }) => JSON.parse(String(init.body)))
  return { user, server, dialog, bodies }
}
const dialogClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const wrongPassword = () => refusal(403, 'Password is not correct', 'wrong_password')

it('the page that verifies a proof can be reached', () => {
  serve({})
  show(<DataPanel user={mai} />)
  expect(screen.getByRole('link', { name: 'Verify a proof' }).getAttribute('href')).toBe('/verify')
})

describe('data export', () => {
  const EXPORT = 'POST /api/user/export'
  const file = { 'Content-Disposition': 'attachment; filename="tesp-network-mai-2026-11-21.json"' }
  const download = async (handlers: Handlers) => {
    const opened = await open('Download my data', handlers)
    await opened.user.type(opened.dialog.getByLabelText('Password'), 'my password')
    const submit = opened.dialog.getByRole<HTMLButtonElement>('button', { name: /^Download/ })
    await opened.user.click(submit)
    return { ...opened, submit }
  }

  it('a data export asks for the password and saves the answer as a file', async () => {
    const { bodies } = await download({ [EXPORT]: () => json({ wallet: { tesp: '1' } }, file) })
    await findToast('Your data was downloaded')
    expect(bodies(EXPORT)).toEqual([{ password: 'my password' }])
    expect(saved.map(({ name }) => name)).toEqual(['tesp-network-mai-2026-11-21.json'])
    expect(JSON.parse((await saved[0]?.blob.text()) ?? '')).toEqual({ wallet: { tesp: '1' } })
    await dialogClosed()
  })

  it('a wrong password marks the field of the export and keeps the member signed in', async () => {
    const { dialog } = await download({ [EXPORT]: wrongPassword })
    const password = dialog.getByLabelText('Password')
    await dialog.findByText('Password is not correct')
    await waitFor(() => expect(document.activeElement).toBe(password))
    expect(password.getAttribute('aria-invalid')).toBe('true')
    expect(currentUser()).toEqual(mai)
    expect(saved).toEqual([])
  })

  it.each([
    ['too many tries', () => refusal(429, 'Too many requests'), 'Too many requests'],
    ['no answer', lost, /No answer from the server/],
  ])(
    'an export that fails with %s shows an error and keeps the dialog open',
    async (_, handler, words) => {
      const { submit } = await download({ [EXPORT]: handler })
      await findToast('Your data could not be downloaded')
      await findToast(words)
      await waitFor(() => expect(isDisabled(submit)).toBe(false))
      expect(screen.getByRole('dialog')).toBeTruthy()
    },
  )

  it('an export without a password sends nothing', async () => {
    const { user, dialog, server } = await open('Download my data')
    await user.click(dialog.getByRole('button', { name: /^Download/ }))
    await dialog.findByText('Password is required')
    expect(server.sent).toEqual([])
  })
})

describe('account deletion', () => {
  const DELETE = 'POST /api/user/delete'
  const fill = async (handlers: Handlers = {}, name = 'mai') => {
    const opened = await open('Delete account', handlers)
    const { user, dialog } = opened
    await user.type(dialog.getByLabelText('Password'), 'my password')
    await user.type(dialog.getByLabelText('Type mai to confirm'), name)
    const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete for good' })
    return { ...opened, submit }
  }
  const remove = async (handlers: Handlers) => {
    const filled = await fill(handlers)
    await filled.user.click(filled.submit)
    return filled
  }

  it('the deletion dialog lists what is deleted and what stays before it sends anything', async () => {
    const { dialog, server } = await open('Delete account')
    expect(dialog.getByText('This is for good: nobody can bring it back.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('dialog')))
    expect(dialog.getByRole('heading', { name: 'What goes' })).toBeTruthy()
    expect(dialog.getByText(/all TESP and USDT are lost/)).toBeTruthy()
    expect(dialog.getByRole('heading', { name: /^What stays, under a number/ })).toBeTruthy()
    expect(server.sent).toEqual([])
  })

  it('Delete for good stays disabled until password and username are filled in', async () => {
    const { user, dialog, submit } = await fill({}, 'ma')
    expect(submit.disabled).toBe(true)
    await user.tab()
    await dialog.findByText('Type your username exactly as it is')
    await user.type(dialog.getByLabelText('Type mai to confirm'), 'i')
    await waitFor(() => expect(isDisabled(submit)).toBe(false))
    await user.clear(dialog.getByLabelText('Password'))
    await waitFor(() => expect(submit.disabled).toBe(true))
  })

  it('a deleted account is signed out and leaves no data on the device', async () => {
    rememberTask(mai.id, 'join_telegram', '2026-01-01T00:00:00.000Z')
    storage.writeFor(mai.id, 'command', { key: 'k', of: 'mai' }, 'k')
    const { bodies } = await remove({ [DELETE]: () => json({ success: true, message: '' }) })
    await findToast('Account deleted')
    expect(bodies(DELETE)).toEqual([{ password: 'my password', confirmation: 'mai' }])
    expect(currentUser()).toBeNull()
    expect([rememberedTasks(mai.id), storage.listFor(mai.id, 'command')]).toEqual([{}, []])
    expect(JSON.stringify({ ...localStorage })).not.toMatch(/mai|join_t/)
  })

  it("a deletion keeps another member's data on the device", async () => {
    rememberTask(8, 'join_telegram', '2026-01-01T00:00:00.000Z')
    await remove({ [DELETE]: () => json({ success: true, message: '' }) })
    await findToast('Account deleted')
    expect(rememberedTasks(8)).toHaveProperty('join_telegram')
  })

  it('a deletion counts as done when only its answer was lost', async () => {
    await remove({ [DELETE]: lost, 'GET /api/user': () => refusal(401, 'Please sign in') })
    await findToast('Account deleted')
    expect(currentUser()).toBeNull()
  })

  it('a deletion request without effect keeps the member signed in', async () => {
    await remove({ [DELETE]: lost, 'GET /api/user': () => json(mai) })
    await findToast('Your account was not deleted')
    expect(currentUser()).toEqual(mai)
  })

  it('a wrong password marks the field of the deletion', async () => {
    const { dialog } = await remove({ [DELETE]: wrongPassword })
    await dialog.findByText('Password is not correct')
    expect(currentUser()).toEqual(mai)
  })

  it('Cancel closes the deletion dialog and discards the typed password', async () => {
    const { user, dialog, server } = await fill()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await dialogClosed()
    await user.click(screen.getByRole('button', { name: 'Delete account' }))
    const password = await screen.findByLabelText<HTMLInputElement>('Password')
    expect(password.value).toBe('')
    expect(server.sent).toEqual([])
  })
})
