import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pendingCommands, rememberCommand } from '#client/commands/pending-commands.ts'
import { currentUser, store, userAtom } from '#client/data/member-data.ts'
import { rememberedTasks, rememberTask } from '#client/screens/tasks/remembered-tasks.ts'
import { followSignIn } from '#client/sign-in/sign-in.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import { json, lost, refusal, serve } from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toast.tsx'
import { DataPanel } from './data-panel.tsx'

const saved = vi.hoisted(() => vi.fn())
vi.mock('./save-file.ts', () => ({ saveFile: saved }))

const mai = aUser()
let stops: (() => void)[] = []

beforeEach(() => {
  saved.mockClear()
  startAs(mai)
  stops = [store.sub(userAtom, () => {}), followSignIn()]
})
afterEach(() => {
  for (const stop of stops) stop()
  act(() => clearToast())
  vi.unstubAllGlobals()
})

type Handlers = Parameters<typeof serve>[0]

async function open(button: string, handlers: Handlers = {}) {
  const server = serve(handlers)
  show(<DataPanel user={mai} />)
  const user = userEvent.setup({ delay: null })
  await user.click(screen.getByRole('button', { name: button }))
  const dialog = within(screen.getByRole('dialog', { name: button }))
  const bodies = (route: string) =>
    server.sent
      .filter((sent) => sent.route === route)
      .map(({ init }) => JSON.parse(String(init.body)))
  return { user, server, dialog, bodies }
}
const said = (text: string | RegExp) => screen.findByText(text, { selector: 'ol li *' })
const wrongPassword = () => refusal(403, 'Password is not correct', 'wrong_password')

describe('downloading one’s data', () => {
  const EXPORT = 'POST /api/user/export'
  const file = { 'Content-Disposition': 'attachment; filename="tesp-network-mai-2026-11-21.json"' }
  const ask = async (handlers: Handlers) => {
    const opened = await open('Download my data', handlers)
    await opened.user.type(opened.dialog.getByLabelText('Password'), 'my password')
    await opened.user.click(opened.dialog.getByRole('button', { name: /^Download/ }))
    return opened
  }

  it('asks for the password and saves the answer under its name', async () => {
    const { bodies } = await ask({ [EXPORT]: () => json({ wallet: { tesp: '1' } }, file) })
    await said('Your data was downloaded')
    expect(bodies(EXPORT)).toEqual([{ password: 'my password' }])
    const [name, text] = saved.mock.calls[0] ?? []
    expect(name).toBe('tesp-network-mai-2026-11-21.json')
    expect(JSON.parse(text)).toEqual({ wallet: { tesp: '1' } })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says that the password is wrong at its field, and stays signed in', async () => {
    const { dialog } = await ask({ [EXPORT]: wrongPassword })
    const password = dialog.getByLabelText('Password')
    await dialog.findByText('Password is not correct')
    await waitFor(() => expect(document.activeElement).toBe(password))
    expect(password.getAttribute('aria-invalid')).toBe('true')
    expect(currentUser()).toEqual(mai)
    expect(saved).not.toHaveBeenCalled()
  })

  it.each([
    ['there were too many tries', () => refusal(429, 'Too many requests'), 'Too many requests'],
    ['nobody answers', lost, /No answer from the server/],
  ])('says so where %s, and leaves the dialog open', async (_, handler, words) => {
    await ask({ [EXPORT]: handler })
    await said('Your data could not be downloaded')
    await said(words)
    expect(screen.getByRole('dialog')).toBeTruthy()
  })

  it('sends nothing without a password', async () => {
    const { user, dialog, server } = await open('Download my data')
    await user.click(dialog.getByRole('button', { name: /^Download/ }))
    await dialog.findByText('Password is required')
    expect(server.sent).toEqual([])
  })
})

describe('deleting one’s account', () => {
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

  it('says what goes and what stays before it does anything', async () => {
    const { dialog, server } = await open('Delete account')
    expect(dialog.getByText('This is for good: nobody can bring it back.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('dialog'))
    expect(dialog.getByRole('heading', { name: 'What goes' })).toBeTruthy()
    expect(dialog.getByText(/all TESP and USDT are lost/)).toBeTruthy()
    expect(dialog.getByRole('heading', { name: /^What stays, under a number/ })).toBeTruthy()
    expect(server.sent).toEqual([])
  })

  it('cannot be pressed before password and name are filled in', async () => {
    const { user, dialog, submit } = await fill({}, 'ma')
    expect(submit.disabled).toBe(true)
    await user.tab()
    await dialog.findByText('Type your username exactly as it is')
    await user.type(dialog.getByLabelText('Type mai to confirm'), 'i')
    expect(submit.disabled).toBe(false)
    await user.clear(dialog.getByLabelText('Password'))
    expect(submit.disabled).toBe(true)
  })

  it('signs out, says so once, and leaves nothing of the member on the device', async () => {
    rememberTask(mai.id, 'join_telegram', '2026-01-01T00:00:00.000Z')
    rememberCommand(mai.id, 'claim')
    const { bodies } = await remove({ [DELETE]: () => json({ success: true, message: '' }) })
    await said('Account deleted')
    expect(bodies(DELETE)).toEqual([{ password: 'my password', confirmation: 'mai' }])
    expect(currentUser()).toBeNull()
    expect([rememberedTasks(mai.id), pendingCommands(mai.id)]).toEqual([{}, []])
    expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }])).not.toMatch(/mai|join_t/)
  })

  it('keeps what the device remembers of another member', async () => {
    rememberTask(8, 'join_telegram', '2026-01-01T00:00:00.000Z')
    await remove({ [DELETE]: () => json({ success: true, message: '' }) })
    await said('Account deleted')
    expect(rememberedTasks(8)).toHaveProperty('join_telegram')
  })

  it('took place where only the answer was lost', async () => {
    await remove({ [DELETE]: lost, 'GET /api/user': () => refusal(401, 'Please sign in') })
    await said('Account deleted')
    expect(currentUser()).toBeNull()
  })

  it('did not where nobody answered, and the member stays', async () => {
    await remove({ [DELETE]: lost, 'GET /api/user': () => json(mai) })
    await said('Your account was not deleted')
    expect(currentUser()).toEqual(mai)
  })

  it('shows at its field what the server refuses', async () => {
    const { dialog } = await remove({ [DELETE]: wrongPassword })
    await dialog.findByText('Password is not correct')
    expect(currentUser()).toEqual(mai)
  })

  it('is left by Cancel, and forgets what was typed', async () => {
    const { user, dialog, server } = await fill()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Delete account' }))
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('')
    expect(server.sent).toEqual([])
  })
})
