import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, identity, interactive, signInByApi } from '#client/e2e/testing/actions.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { watch } from '#client/e2e/testing/watch-page.ts'

/** Collects every text that the page shows from its first HTML on, as `window.shownTexts`. */
const RECORD_TEXTS = `
  window.shownTexts = new Set()
  const record = () => {
    if (document.body) window.shownTexts.add(document.body.innerText)
  }
  new MutationObserver(record).observe(document, { childList: true, subtree: true, characterData: true })`

describe('the first page in the language of the visitor', () => {
  const journey = useJourney({}, { serviceWorker: true })
  const minh = identity('minh')
  const shown = async (page: Page) =>
    (await page.evaluate<string[]>('[...window.shownTexts]')).join('\n')

  it('the sign-in page of a Vietnamese browser is never in English', async () => {
    const page = await journey.open('about:blank', { locale: 'vi-VN' })
    await page.addInitScript(RECORD_TEXTS)
    const seen = watch(page)
    await page.goto('/auth')
    await page.getByLabel('Tên người dùng hoặc email').focus()
    await interactive(page)
    expect(await shown(page)).toContain('Quên mật khẩu')
    expect(await shown(page)).not.toContain('Forgot password')
    expect(seen.errors).toEqual([])
    await page.context().close()
  })

  it('the choice on the device decides the language of the next page', async () => {
    const page = await journey.open('/auth', { locale: 'vi-VN' })
    await button(page, 'English').click()
    await page.getByLabel('Username or email').waitFor()
    await page.addInitScript(RECORD_TEXTS)
    await page.reload()
    await page.getByLabel('Username or email').focus()
    await interactive(page)
    expect(await shown(page)).not.toContain('Quên mật khẩu')
    await page.context().close()
  })

  it('the shell and the screen of a Vietnamese member are never in English', async () => {
    await journey.visitor().register(minh)
    const { db } = journey.product
    await db('users').where({ username: minh.username }).update({ language: 'vi' })
    const page = await journey.open('about:blank')
    await signInByApi(journey, page, minh.username)
    await page.addInitScript(RECORD_TEXTS)
    await page.goto('/mine')
    await page.getByRole('status').filter({ hasText: 'Kết nối: Trực tiếp' }).waitFor()
    expect(await shown(page)).toContain('Xin chào, minh!')
    expect(await shown(page)).not.toContain('Hello, minh!')
    await page.context().close()
  })
})
