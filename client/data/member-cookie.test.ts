import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aUser } from '#client/testing/fixtures.ts'
import { json, serve, setMemberCookie } from '#client/testing/server.ts'
import { clearMemberCookie, memberInCookie } from './member-cookie.ts'
import { currentUser, queryClient, userAtom } from './member-data.ts'

beforeEach(() => void queryClient.clear())
afterEach(() => {
  setMemberCookie(undefined)
  vi.unstubAllGlobals()
})

it('the marker cookie names the member until it is cleared', () => {
  expect(memberInCookie()).toBeUndefined()
  setMemberCookie(7)
  expect(memberInCookie()).toBe(7)
  clearMemberCookie()
  expect(memberInCookie()).toBeUndefined()
})

it('a page without the marker cookie does not ask who is signed in', async () => {
  const server = serve({ 'GET /api/user': json(aUser()) })
  setMemberCookie(undefined)
  const store = createStore()
  const stop = store.sub(userAtom, () => {})
  await vi.waitFor(() => expect(store.get(userAtom).data).toBeNull())
  expect(server.sent).toEqual([])
  stop()
})

it('a page with the marker cookie asks who is signed in', async () => {
  const server = serve({ 'GET /api/user': json(aUser()) })
  const store = createStore()
  const stop = store.sub(userAtom, () => {})
  await vi.waitFor(() => expect(currentUser()?.id).toBe(7))
  expect(server.count('GET /api/user')).toBe(1)
  stop()
})
