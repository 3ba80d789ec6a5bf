import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { json, refusal, serve, setMemberCookie } from '#client/testing/server.ts'
import { configureTestingLibrary } from '#client/testing/testing-library.ts'
import { LANGUAGES, type Language } from '#rules/members/languages'

const react = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }

let errors: unknown[][]

/** Those of the started pages: an open one would keep the test process running. */
const channels: BroadcastChannel[] = []
const Channel = BroadcastChannel

/** A document with the prerendered page and modules that have not been used. */
async function openPage(language: Language = 'en') {
  const { renderAuthPage } = await import('./prerender.tsx')
  const { html } = await renderAuthPage(language)
  vi.resetModules()
  window.history.replaceState(null, '', '/auth')
  const root = document.createElement('div')
  root.dataset.page = '/auth'
  root.innerHTML = html
  document.documentElement.lang = language
  // The pages of earlier tests stay: React may still remove elements of theirs.
  document.body.append(root)
  const { recordClicks } = await import('./first-load/replay-clicks.ts')
  const { start } = await import('./start.tsx')
  recordClicks()
  return { root, start: () => start(root) }
}

const field = (root: Element, name: string) =>
  root.querySelector<HTMLInputElement>(`input[name="${name}"]`) ?? expect.fail(`no ${name}`)

beforeEach(() => {
  configureTestingLibrary()
  react.IS_REACT_ACT_ENVIRONMENT = false
  errors = []
  localStorage.clear()
  vi.spyOn(console, 'error').mockImplementation((...args) => void errors.push(args))
  setMemberCookie(undefined)
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Channel {
      constructor(name: string) {
        super(name)
        channels.push(this)
      }
    },
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const channel of channels.splice(0)) channel.close()
  react.IS_REACT_ACT_ENVIRONMENT = true
})

/** The label of the button that shows the password. */
const SHOW = { en: 'Show password', vi: 'Hiện mật khẩu' } satisfies Record<Language, string>

it.each(LANGUAGES)(
  'the sign-in page in %s is hydrated without a mismatch',
  async (language) => {
    localStorage.setItem('language', language)
    serve({})
    const { root, start } = await openPage(language)
    const before = field(root, 'identifier')
    await start()
    await waitFor(() => expect(root.dataset.page).toBeUndefined())
    root.querySelector<HTMLElement>(`[aria-label="${SHOW[language]}"]`)?.click()
    await waitFor(() => expect(field(root, 'password').type).toBe('text'))
    expect(field(root, 'identifier')).toBe(before)
    expect(errors).toEqual([])
  },
  30_000,
)

it('a page in another language than the device is hydrated as it is and then translated', async () => {
  localStorage.setItem('language', 'vi')
  serve({})
  const { root, start } = await openPage('en')
  const before = field(root, 'identifier')
  await start()
  await waitFor(() => expect(root.textContent).toContain('Quên mật khẩu'))
  expect(field(root, 'identifier')).toBe(before)
  expect(document.documentElement.lang).toBe('vi')
  expect(errors).toEqual([])
})

/** The sign-in page with both fields filled in before its code is loaded; the login is refused. */
async function openFilledIn() {
  const server = serve({
    'GET /api/app': json({ flags: [], minimumVersion: null, taskLinks: {} }),
    'POST /api/login': refusal(401, 'Invalid username or password'),
  })
  const { root, start } = await openPage()
  field(root, 'identifier').value = 'mai'
  field(root, 'password').value = 'secret words'
  return { server, root, start }
}

it('input and clicks before the code is loaded are submitted once it is', async () => {
  const { server, root, start } = await openFilledIn()
  root.querySelector<HTMLElement>('button[type="submit"]')?.click()
  await start()
  await waitFor(() => expect(server.count('POST /api/login')).toBe(1))
  expect(server.sent.find(({ route }) => route === 'POST /api/login')?.body).toMatchObject({
    identifier: 'mai',
    password: 'secret words',
  })
})

it('two presses on Login before the code is loaded send it once', async () => {
  const { server, root, start } = await openFilledIn()
  for (let press = 0; press < 2; press++) {
    root.querySelector<HTMLElement>('button[type="submit"]')?.click()
  }
  await start()
  await waitFor(() => expect(root.textContent).toContain('Invalid username or password'))
  expect(server.count('POST /api/login')).toBe(1)
})

it('a tab that is pressed before the code is loaded opens when it is', async () => {
  serve({})
  const { root, start } = await openPage()
  const [, register] = root.querySelectorAll<HTMLElement>('[role="tab"]')
  register?.click()
  await start()
  await waitFor(() => expect(register?.getAttribute('aria-selected')).toBe('true'))
  expect(errors).toEqual([])
})

it('a page that was unloaded during a registration is hydrated and opens it again', async () => {
  serve({})
  const { root, start } = await openPage()
  const names = { username: 'anh', email: 'anh@example.com', referralCode: '' }
  window.history.replaceState({ names }, '')
  await start()
  await waitFor(() => expect(field(root, 'username').value).toBe('anh'))
  expect(root.querySelector('[aria-selected="true"]')?.textContent).toBe('Register')
  await waitFor(() => expect(root.dataset.page).toBeUndefined())
  expect(errors).toEqual([])
})

it('a form that is sent before its code is loaded puts nothing into the URL', async () => {
  const { root } = await openPage()
  expect(root.querySelector('form')?.getAttribute('method')).toBe('dialog')
})
