import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { currentLanguage } from '#client/language/language.ts'
import { changeLanguage } from '#client/language/load-texts.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, serve } from '#client/testing/server.ts'
import { onToast, type ToastOptions } from '#client/ui/toasts/toast.tsx'
import type { User } from '#rules/members/account-snapshots'
import { chooseLanguage, followMemberLanguage } from './member-language.ts'

const SAVE = 'PATCH /api/user/profile'
const stops: (() => void)[] = []

function follow(user: User) {
  const server = serve({
    [SAVE]: ({ body }) => json({ ...user, ...(body as object) }),
  })
  stops.push(followMemberLanguage())
  startAs(user)
  return server
}

beforeEach(() => {
  localStorage.clear()
  startAs(null)
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  vi.unstubAllGlobals()
  await changeLanguage('en')
})

describe('choosing a language', () => {
  it('the choice is stored on the device and for the member’s mails', async () => {
    const { sent } = follow(aUser({ language: 'en' }))
    await chooseLanguage('vi')
    expect(currentLanguage()).toBe('vi')
    expect(localStorage.getItem('language')).toBe('vi')
    expect(sent.map(({ route, body }) => [route, body])).toEqual([[SAVE, { language: 'vi' }]])
    expect(currentUser()?.language).toBe('vi')
  })

  it('a visitor’s choice sends no request', async () => {
    const { sent } = serve({})
    await chooseLanguage('vi')
    expect(currentLanguage()).toBe('vi')
    expect(sent).toEqual([])
  })

  it('a choice that the server does not store stays on the device and is reported', async () => {
    startAs(aUser({ language: 'en' }))
    serve({ [SAVE]: lost })
    const toasts: ToastOptions[] = []
    stops.push(onToast((shown) => toasts.push(shown)))
    await chooseLanguage('vi')
    expect(localStorage.getItem('language')).toBe('vi')
    expect(toasts.map(({ title }) => title)).toEqual(['Chưa đổi được ngôn ngữ email của bạn'])
  })
})

describe('signing in', () => {
  it('a device without a choice shows the member’s language', async () => {
    follow(aUser({ language: 'vi' }))
    await vi.waitFor(() => expect(currentLanguage()).toBe('vi'))
    expect(localStorage.getItem('language')).toBeNull()
  })

  it('a device with a choice keeps it', async () => {
    localStorage.setItem('language', 'en')
    const { sent } = follow(aUser({ language: 'vi' }))
    await Promise.resolve()
    expect(currentLanguage()).toBe('en')
    expect(sent).toEqual([])
  })

  it('a member without a language gets that of the device', async () => {
    localStorage.setItem('language', 'vi')
    follow(aUser({ language: null }))
    await vi.waitFor(() => expect(currentUser()?.language).toBe('vi'))
  })
})
