import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setUser } from '#client/data/member-data.ts'
import { recheckUser } from '#client/data/refresh.ts'
import { storage } from '#client/data/storage.ts'
import { MainRegion } from '#client/layout/page.tsx'
import { isShown, pass } from '#client/screens/testing/retrying.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { show, startAs } from '#client/testing/render.tsx'
import {
  type Handlers,
  json,
  lost,
  refusal,
  serve,
  setMemberCookie,
} from '#client/testing/server.ts'
import { clearToast } from '#client/ui/toasts/toast.ts'
import { CommandNotes } from './command-notes.tsx'
import { issueCommand } from './commands.ts'

const NOTE = 'Mining was not started. Not done: you were signed out.'
const CANCEL = 'POST /api/commands/cancel'

const startMining = {
  name: 'start',
  mutexKey: () => 'mining',
  send: () => fetch('/api/mining/start', { method: 'POST' }).then((answer) => answer.json()),
  onDone() {},
  onRefused() {},
}

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  clearToast()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Signs in again as this member, after the sign-in has ended. */
async function signIn(id = 7) {
  await act(async () => {
    setMemberCookie(id)
    setUser(aUser({ id }))
  })
  await pass(100)
}

/** A command waits for the server when the sign-in of member 7 ends. */
async function endWhileWaiting(handlers: Handlers) {
  const server = serve({ 'POST /api/mining/start': lost, ...handlers })
  startAs(aUser({ id: 7 }))
  show(<CommandNotes />)
  act(() => void issueCommand(startMining, {}))
  await pass(20_000)
  expect(isShown('Will start mining when the server answers')).toBe(true)
  await act(async () => setUser(null))
  await pass(100)
  return server
}

it('a command that waited when the sign-in ended is reported after the next one, until it is read', async () => {
  const server = await endWhileWaiting({ [CANCEL]: () => json({ cancelled: true, answer: null }) })
  expect(isShown(NOTE)).toBe(false)
  await signIn()
  expect(isShown(NOTE)).toBe(true)
  expect(server.count(CANCEL)).toBe(1)
  await act(async () => setUser(null))
  await signIn()
  expect(isShown(NOTE)).toBe(true)
  expect(server.count(CANCEL)).toBe(1)
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(isShown(NOTE)).toBe(false)
  expect(localStorage.getItem('endedCommands:7')).toBeNull()
})

/** A command of member 7 that an earlier page stored. */
function storeWaiting() {
  const command = { key: 'k', name: 'start', mutexKey: 'mining', issuedAt: Date.now() }
  storage.writeFor(7, 'command', { ...command, state: 'waiting' }, 'k')
}

it('a command of an earlier page is reported after the next sign-in if a page started without one', async () => {
  const server = serve({ [CANCEL]: () => json({ cancelled: true, answer: null }) })
  startAs(null)
  show(<CommandNotes />)
  storeWaiting()
  await act(async () => setUser(null))
  await signIn()
  expect(isShown(NOTE)).toBe(true)
  expect(server.count(CANCEL)).toBe(1)
})

it('a command of an earlier page is reported after the next sign-in if the server ended the last one', async () => {
  startAs(null)
  show(<CommandNotes />)
  const server = serve({
    'GET /api/user': () => refusal(401, 'Please sign in'),
    [CANCEL]: () => json({ cancelled: true, answer: null }),
  })
  storeWaiting()
  setMemberCookie(7)
  await act(async () => recheckUser())
  await pass(100)
  expect(server.count('GET /api/user')).toBe(1)
  await signIn()
  expect(isShown(NOTE)).toBe(true)
  expect(server.count(CANCEL)).toBe(1)
})

it('a command of an earlier page is reported to its member although another one signs in first', async () => {
  const server = serve({ [CANCEL]: () => json({ cancelled: true, answer: null }) })
  startAs(null)
  show(<CommandNotes />)
  storeWaiting()
  await signIn(8)
  expect(isShown(NOTE)).toBe(false)
  expect(server.count(CANCEL)).toBe(0)
  await act(async () => setUser(null))
  await signIn()
  expect(isShown(NOTE)).toBe(true)
})

it('a command that took effect before the sign-in ended is not reported', async () => {
  await endWhileWaiting({ [CANCEL]: () => json({ cancelled: false, answer: {} }) })
  await signIn()
  expect(isShown(NOTE)).toBe(false)
  expect(localStorage.getItem('endedCommands:7')).toBeNull()
})

it('without an answer the next sign-in asks again', async () => {
  const answers = [lost, () => json({ cancelled: true, answer: null })]
  await endWhileWaiting({ [CANCEL]: () => answers.shift()?.() ?? lost() })
  await signIn()
  expect(isShown(NOTE)).toBe(false)
  await act(async () => setUser(null))
  await signIn()
  expect(isShown(NOTE)).toBe(true)
})

it.each([
  ['Undo', 'the note of a command that waits'],
  ['Dismiss', 'the note of a command that was not done'],
])('%s in %s leaves the focus on the page', async (name) => {
  show(<MainRegion>{null}</MainRegion>)
  await endWhileWaiting({ [CANCEL]: () => json({ cancelled: true, answer: null }) })
  await signIn()
  if (name === 'Undo') {
    act(() => void issueCommand(startMining, {}))
    await pass(20_000)
  }
  const button = screen.getByRole('button', { name })
  act(() => button.focus())
  fireEvent.click(button)
  await pass(100)
  expect(screen.queryByRole('button', { name })).toBeNull()
  expect(document.activeElement?.id).toBe('main')
})

it('another member of the same browser sees nothing of it, and no input of it is kept', async () => {
  const server = await endWhileWaiting({})
  await signIn(8)
  expect(isShown(NOTE)).toBe(false)
  expect(server.count(CANCEL)).toBe(0)
  expect(Object.keys(JSON.parse(localStorage.getItem('endedCommands:7') ?? '')[0])).toEqual([
    'key',
    'name',
    'issuedAt',
  ])
})

it('a command that the server rejects because the sign-in has ended is reported too', async () => {
  serve({
    'POST /api/mining/start': () => refusal(401, 'Please sign in'),
    'GET /api/user': () => refusal(401, 'Please sign in'),
    [CANCEL]: () => json({ cancelled: true, answer: null }),
  })
  startAs(aUser({ id: 7 }))
  show(<CommandNotes />)
  const send = () =>
    import('#client/data/api.ts').then(({ call }) => call('POST /api/mining/start'))
  act(() => void issueCommand({ ...startMining, send }, {}))
  await pass(1_000)
  await signIn()
  expect(isShown(NOTE)).toBe(true)
})
