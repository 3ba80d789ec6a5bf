import { describe, expect, it } from 'vitest'
import { button, interactive, interceptFirst, shownToast } from '#client/e2e/testing/actions.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { layoutShifts, RECORD_SHIFTS } from '#client/e2e/testing/layout-shift.ts'
import { COUNT_VIOLATIONS, watch } from '#client/e2e/testing/watch-page.ts'

describe('the prerendered sign-in page', () => {
  const journey = useJourney()

  it('the sign-in page is readable without JavaScript', async () => {
    const page = await journey.open('/auth', { javaScriptEnabled: false })
    await page.getByRole('heading', { name: 'TESP Network' }).waitFor()
    await page.getByLabel('Username or email').waitFor()
    expect(await page.content()).toContain('<noscript>TESP Network needs JavaScript to run.')
    await page.context().close()
  })

  it('React takes the sign-in page over as it is', async () => {
    const page = await journey.open('about:blank')
    await page.addInitScript(COUNT_VIOLATIONS)
    const seen = watch(page)
    await page.goto('/auth')
    // An element that React had created again would be another one.
    const before = await page.getByLabel('Username or email').elementHandle()
    await page.getByLabel('Username or email').focus()
    await page.waitForLoadState('networkidle')
    await button(page, 'Show password').click()
    await button(page, 'Hide password').waitFor()
    const after = await page.getByLabel('Username or email').elementHandle()
    expect(await page.evaluate(([one, other]) => one === other, [before, after])).toBe(true)
    expect(seen.errors).toEqual([])
    expect(await page.evaluate('window.violations')).toBe(0)
    await page.context().close()
  })

  it('a page whose code cannot be loaded is loaded again', async () => {
    const page = await journey.open('about:blank')
    journey.allow(/ERR_FAILED/, /Failed to fetch dynamically imported module/)
    await interceptFirst(page, '**/assets/start-*.js', (route) => route.abort())
    await page.goto('/reset-password')
    await button(page, 'Back to Login').waitFor()
    await page.context().close()
  })

  it('a login that is pressed before its code is loaded happens when it is', async () => {
    journey.allow(/status of 401 .*api\/login/)
    const page = await journey.open('about:blank')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/assets/start-*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/auth')
    const typed = { identifier: 'mia', password: 'a password' }
    await page.getByLabel('Username or email').fill(typed.identifier)
    await page.getByLabel('Password', { exact: true }).fill(typed.password)
    await button(page, 'Login', true).click()
    expect(new URL(page.url()).search).toBe('')
    const login = page.waitForRequest('**/api/login')
    release()
    expect((await login).postDataJSON()).toMatchObject(typed)
    await shownToast(page).getByText('Login failed').waitFor()
    await page.context().close()
  })

  // Browsers tie passkeys to a domain, so an IP address has none.
  it.each([
    ['localhost', true],
    ['127.0.0.1', false],
  ])('the passkey button on %s is shown before the page is used: %s', async (host, isShown) => {
    const page = await journey.open('about:blank')
    await page.addInitScript(RECORD_SHIFTS)
    await page.goto(`${journey.url.replace('127.0.0.1', host)}/auth`)
    await page.waitForLoadState('networkidle')
    const passkey = button(page, 'Log in with a passkey')
    expect(await page.locator('#root[data-page]').count()).toBe(1)
    expect(await passkey.isVisible()).toBe(isShown)
    await page.getByLabel('Username or email').focus()
    await interactive(page)
    expect(await passkey.isVisible()).toBe(isShown)
    expect(await layoutShifts(page)).toEqual([])
    await page.context().close()
  })

  it('a registration that the phone unloads is there again without a tap', async () => {
    const page = await journey.open('/auth')
    await page.getByRole('tab', { name: 'Register' }).click()
    await page.getByLabel('Username', { exact: true }).fill('minh')
    await page.getByLabel('Referral code').fill('TESPABC234')
    await page.getByLabel('Email', { exact: true }).focus()
    await page.reload()
    await expect.poll(() => page.getByLabel('Referral code').inputValue()).toBe('TESPABC234')
    expect(await page.getByLabel('Username', { exact: true }).inputValue()).toBe('minh')
    await page.context().close()
  })
})
