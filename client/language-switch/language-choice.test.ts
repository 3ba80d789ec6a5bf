import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentUser } from '#client/data/member-data.ts'
import { currentLanguage } from '#client/language/language.ts'
import { changeLanguage } from '#client/language/load-texts.ts'
import { eventually } from '#client/testing/eventually.ts'
import { aUser } from '#client/testing/fixtures.ts'
import { startAs } from '#client/testing/render.tsx'
import { json, lost, serve } from '#client/testing/server.ts'
import { recordToasts } from '#client/testing/toasts.ts'
import type { User } from '#rules/members/account-snapshots'
import {
  chooseLanguage,
  deviceLanguage,
  followMemberLanguage,
  startLanguage,
} from './language-choice.ts'

describe('the language of a device', () => {
  const prefer = (...languages: string[]) =>
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages)

  beforeEach(() => localStorage.clear())
  afterEach(async () => {
    vi.restoreAllMocks()
    await changeLanguage('en')
  })

  describe('the language of the first visit', () => {
    it.each([
      [['vi-VN', 'en-US'], 'vi'],
      [['en-GB', 'vi'], 'en'],
      [['fr-FR', 'vi'], 'vi'],
      [['de'], 'en'],
    ])('a browser that prefers %j shows %s', async (languages, shown) => {
      prefer(...languages)
      await startLanguage(deviceLanguage())
      expect(currentLanguage()).toBe(shown)
      expect(document.documentElement.lang).toBe(shown)
    })
  })

  it('the choice on the device comes before the browser’s preference', async () => {
    prefer('vi-VN')
    localStorage.setItem('language', 'en')
    await startLanguage(deviceLanguage())
    expect(currentLanguage()).toBe('en')
  })

  it('an unknown stored choice is ignored', async () => {
    prefer('vi')
    localStorage.setItem('language', 'tlh')
    await startLanguage(deviceLanguage())
    expect(currentLanguage()).toBe('vi')
  })

  it('the choice in another tab is followed', async () => {
    prefer('en')
    await startLanguage(deviceLanguage())
    localStorage.setItem('language', 'vi')
    window.dispatchEvent(new StorageEvent('storage', { key: 'language' }))
    await eventually(() => expect(document.documentElement.lang).toBe('vi'))
  })

  it('the choice on the device is sent to the server, again after each start', async () => {
    await chooseLanguage('vi')
    expect(document.cookie).toContain('tesp-language=vi')
    // biome-ignore lint/suspicious/noDocumentCookie: happy-dom has no Cookie Store API.
    document.cookie = 'tesp-language=; Path=/; Max-Age=0'
    await startLanguage(deviceLanguage())
    expect(document.cookie).toContain('tesp-language=vi')
  })

  it('the language of the member comes before the browser’s preference', () => {
    prefer('en')
    expect(deviceLanguage('vi')).toBe('vi')
    localStorage.setItem('language', 'en')
    expect(deviceLanguage('vi')).toBe('en')
  })

  it('the page names the manifest of the language on the screen', async () => {
    document.head.innerHTML = '<link rel="manifest" href="/manifest.webmanifest" />'
    const manifest = () => document.querySelector('link')?.getAttribute('href')
    localStorage.setItem('language', 'vi')
    await startLanguage(deviceLanguage())
    expect(manifest()).toBe('/manifest.vi.webmanifest')
    await changeLanguage('en')
    expect(manifest()).toBe('/manifest.webmanifest')
  })

  it('the language of the document is not set again, because that computes every style', async () => {
    prefer('vi')
    document.documentElement.lang = 'vi'
    const change = vi.spyOn(document.documentElement, 'lang', 'set')
    await startLanguage(deviceLanguage())
    expect(currentLanguage()).toBe('vi')
    expect(change).not.toHaveBeenCalled()
  })
})

describe('the language of a member', () => {
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
    it('a choice whose texts are still loading does not replace a later one', async () => {
      const { sent } = follow(aUser({ language: 'en' }))
      await Promise.all([chooseLanguage('vi'), chooseLanguage('en')])
      expect([currentLanguage(), localStorage.getItem('language')]).toEqual(['en', 'en'])
      expect(sent).toEqual([])
    })

    it('the choice is stored on the device and for the member’s mails', async () => {
      const { sent } = follow(aUser({ language: 'en' }))
      await chooseLanguage('vi')
      expect(currentLanguage()).toBe('vi')
      expect(localStorage.getItem('language')).toBe('vi')
      expect(sent.map(({ route, body }) => [route, body])).toEqual([[SAVE, { language: 'vi' }]])
      expect(currentUser()?.language).toBe('vi')
    })

    it('a choice during the save of the one before is saved after it', async () => {
      follow(aUser({ language: 'en' }))
      let answer = () => {}
      const { sent } = serve({
        [SAVE]: ({ body }) => {
          const saved = json({ ...aUser(), ...(body as object) })
          return new Promise<Response>((resolve) => (answer = () => resolve(saved)))
        },
      })
      const first = chooseLanguage('vi')
      await eventually(() => expect(sent).toHaveLength(1))
      const second = chooseLanguage('en')
      answer()
      await first
      await eventually(() => expect(sent).toHaveLength(2))
      answer()
      await second
      expect(sent.map(({ body }) => body)).toEqual([{ language: 'vi' }, { language: 'en' }])
      expect(currentUser()?.language).toBe('en')
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
      const { texts, stop } = recordToasts()
      stops.push(stop)
      await chooseLanguage('vi')
      expect(localStorage.getItem('language')).toBe('vi')
      expect(texts).toEqual([expect.stringMatching(/^Chưa đổi được ngôn ngữ email của bạn: /)])
    })
  })

  describe('signing in', () => {
    it('a device without a choice shows the member’s language', async () => {
      follow(aUser({ language: 'vi' }))
      await eventually(() => expect(currentLanguage()).toBe('vi'))
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
      await eventually(() => expect(currentUser()?.language).toBe('vi'))
    })
  })
})
