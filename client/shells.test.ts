// @vitest-environment node
import { expect, it } from 'vitest'
import { i18n } from '#client/language/language.ts'
import { PLACEHOLDERS, SHELL_KEYS } from '#contract/initial-data'
import type { Language } from '#rules/members/languages'
import { renderAuthPage, renderShells } from './prerender.tsx'

const textOf = (html: string) => html.replace(/<[^>]*>/g, ' ')

const AUTH: [Language, string, string, string][] = [
  ['en', 'Sign in · TESP Network', 'Username or email', 'Forgot password'],
  ['vi', 'Đăng nhập · TESP Network', 'Tên người dùng hoặc email', 'Quên mật khẩu'],
]

it.each(AUTH)(
  'the sign-in page renders without a browser in %s',
  async (language, ...texts) => {
    const [title, ...shown] = texts
    const page = await renderAuthPage(language)
    expect(page.title).toBe(title)
    for (const text of shown) expect(page.html).toContain(text)
    expect(page.html).not.toMatch(/<script/i)
  },
  60_000,
)

const SHELLS: [Language, string, string, string][] = [
  [
    'en',
    `Account menu of ${PLACEHOLDERS.username}`,
    'aria-label="Main"',
    `Hello, ${PLACEHOLDERS.username}!`,
  ],
  [
    'vi',
    `Menu tài khoản của ${PLACEHOLDERS.username}`,
    'aria-label="Điều hướng chính"',
    `Xin chào, ${PLACEHOLDERS.username}!`,
  ],
]

it.each(SHELLS)(
  'the shells in %s render without a browser and hold no figure of a member',
  async (language, menu, navigation, greeting) => {
    const shells = await renderShells(language)
    expect(Object.keys(shells)).toEqual([
      '/mine',
      '/wallet',
      '/tasks',
      '/team',
      '/network',
      '/swap',
      '/account',
      SHELL_KEYS.walletView,
      SHELL_KEYS.accountView,
      SHELL_KEYS.accountWithoutCode,
      SHELL_KEYS.emptyWallet,
    ])
    for (const [name, html] of Object.entries(shells)) {
      expect(html).toContain(menu)
      expect(html).toContain(navigation)
      expect(html).not.toMatch(/<script/i)
      // Screen readers read what the skeletons show.
      const [, main = ''] = html.split('<main')
      if (main.includes('animate-shimmer')) expect(main).toMatch(/role="status"[^>]*>[^<]/)
      // A shell has no code, so it must show no field.
      expect(html).not.toMatch(/<input|<textarea/i)
      // Skeletons instead of amounts, except where all of them are zero.
      expect(
        name === SHELL_KEYS.emptyWallet ? [] : (textOf(html).match(/\d[.,]\d{4}/) ?? []),
      ).toEqual([])
    }
    expect(shells['/mine']).toContain(greeting)
    // The largest text of the screen is in its shell, so the largest paint waits for no script.
    expect(shells['/mine']).toContain(i18n.t('mine:pending.explanation'))
    expect(shells['/tasks']).toContain(i18n.t('tasks:explanation'))
    expect(textOf(shells['/account'] ?? '')).toMatch(
      new RegExp(`${PLACEHOLDERS.fullName}\\s+${PLACEHOLDERS.email}`),
    )
    expect(shells['/account']).toContain(PLACEHOLDERS.referralCode)
    expect(shells[SHELL_KEYS.accountView]).not.toContain(PLACEHOLDERS.email)
    expect(shells[SHELL_KEYS.accountWithoutCode]).not.toContain(PLACEHOLDERS.referralCode)
    expect(textOf(shells[SHELL_KEYS.emptyWallet] ?? '')).toMatch(/\$0[.,]00/)
  },
  60_000,
)
