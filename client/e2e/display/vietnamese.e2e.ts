import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, field, identity, interactive, signInByApi } from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { watch } from '#client/e2e/testing/watch-page.ts'
import { setClockSpeed } from '#db/postgres/connection/product-clock'

/** Collects every text that the page shows from its first HTML on, as `window.shownTexts`. */
const RECORD_TEXTS = `
  window.shownTexts = new Set()
  window.textRecorder = new MutationObserver(() => {
    if (document.body) window.shownTexts.add(document.body.innerText)
  })
  textRecorder.observe(document, { childList: true, subtree: true, characterData: true })`

describe('a browser that prefers Vietnamese', () => {
  // At speed 240 an interval of 20 minutes takes five seconds.
  const journey = useJourney({ CLOCK_SPEED: '240' })
  const lan = identity('lan')
  let page: Page

  const lang = () => page.locator('html').getAttribute('lang')
  const stored = async () =>
    (await journey.product.db('users').where({ username: 'lan' }).first('language')).language
  const toast = (text: string) =>
    page.getByRole('region', { name: /Thông báo/ }).getByText(text, { exact: true })
  const shown = async (on: Page) =>
    (await on.evaluate<string[]>('[...window.shownTexts]')).join('\n')

  it('the first visit is in Vietnamese and never in English', async () => {
    page = await journey.open('about:blank', { locale: 'vi-VN' })
    await page.addInitScript(RECORD_TEXTS)
    const seen = watch(page)
    await page.goto('/auth')
    await page.getByRole('tab', { name: 'Đăng nhập' }).waitFor()
    expect(await lang()).toBe('vi')
    expect(await page.title()).toBe('Đăng nhập · TESP Network')
    await expectAccessible(page)
    await page.getByLabel('Tên người dùng hoặc email').focus()
    await interactive(page)
    expect(await shown(page)).toContain('Quên mật khẩu')
    expect(await shown(page)).not.toContain('Forgot password')
    expect(seen.errors).toEqual([])
    await page.evaluate('textRecorder.disconnect()')
  })

  it('the choice on the device decides the language of the next page', async () => {
    const other = await journey.open('/auth', { locale: 'vi-VN' })
    await button(other, 'English').click()
    await other.getByLabel('Username or email').waitFor()
    await other.addInitScript(RECORD_TEXTS)
    await other.reload()
    await other.getByLabel('Username or email').focus()
    await interactive(other)
    expect(await shown(other)).not.toContain('Quên mật khẩu')
    await other.context().close()
  })

  it('a form error and a registration are in Vietnamese', async () => {
    await button(page, 'Đăng nhập', true).click()
    await page.getByText('Vui lòng nhập mật khẩu').waitFor()
    await page.getByRole('tab', { name: 'Đăng ký' }).click()
    await field(page, 'Tên người dùng').fill(lan.username)
    await page.getByText('Bạn có thể dùng tên người dùng này').waitFor()
    await field(page, 'Email').fill(lan.email)
    await button(page, 'Gửi mã OTP').click()
    await toast('Mã OTP đã được gửi đến email của bạn').waitFor()
    await field(page, 'Mã OTP').and(page.locator(':focus')).waitFor()
    await field(page, 'Mã OTP').fill(await journey.mailbox.codeFor(lan.email))
    await page.getByText('Địa chỉ email đã được xác minh').waitFor()
    await field(page, 'Mật khẩu').fill(lan.password)
    await field(page, 'Xác nhận mật khẩu').fill(lan.password)
    await button(page, 'Đăng ký', true).click()
    await page.waitForURL('/mine')
    await toast('Đăng ký thành công').waitFor()
    expect(await stored()).toBe('vi')
  })

  it('the dashboard and the toast of a credit are in Vietnamese', async () => {
    await page.getByRole('navigation', { name: 'Điều hướng chính' }).waitFor()
    await page.getByRole('status').filter({ hasText: 'Kết nối: Trực tiếp' }).waitFor()
    const other = journey.visitor()
    await other.login(lan.username, lan.password)
    await other.call('POST /api/mining/start')
    await toast('TESP đã được cộng vào ví của bạn!').waitFor()
    await setClockSpeed(journey.product.db, 1)
    await expectAccessible(page)
  })

  it('the shell and the screen of a Vietnamese member are never in English', async () => {
    const other = await journey.open('about:blank')
    await signInByApi(journey, other, lan.username)
    await other.addInitScript(RECORD_TEXTS)
    await other.goto('/mine')
    await other.getByRole('status').filter({ hasText: 'Kết nối: Trực tiếp' }).waitFor()
    expect(await shown(other)).toContain('Xin chào, lan!')
    expect(await shown(other)).not.toContain('Hello, lan!')
    await other.context().close()
  })

  it('the menu changes the language for this device and the member’s mails', async () => {
    await button(page, 'Menu tài khoản của lan').click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(await lang()).toBe('en')
    await expect.poll(stored).toBe('en')
    await page.reload()
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(await lang()).toBe('en')
  })
})
