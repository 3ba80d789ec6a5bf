import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  asset,
  button,
  connection,
  countToasts,
  field,
  figure,
  goTo,
  identity,
  interactive,
  seeToast,
  shownToast,
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { audit } from '#db/ledger/audit'
import { setClockSpeed } from '#db/postgres/connection/product-clock'
import { display, sum } from '#rules/money/money'
import { redisForRequests } from '#runtime/redis'

const REWARD_TITLE = 'TESP has been added to your wallet!'
const REWARD_TEXT =
  '0.0333 TESP has been automatically added to your wallet after 20 minutes of mining.'

const textAndWidth = new Function(
  'element',
  'return { text: element.textContent, width: element.offsetWidth }',
) as () => { text: string; width: number }

describe('onboarding', () => {
  // At speed 240 an interval of 20 minutes takes five seconds.
  const journey = useJourney({ CLOCK_SPEED: '240' }, { serviceWorker: true })
  const ada = identity('ada')
  let page: Page
  let keys: Page

  const mine = () => journey.product.db('users').where({ username: ada.username }).first('id')
  const ledger = async (like: string) => {
    const { id: userId } = await mine()
    return journey.product.db('wallet_activity').where({ userId }).whereLike('id', like)
  }
  const balanceOf = async (): Promise<string> => {
    const { id: userId } = await mine()
    return (await journey.product.db('wallets').where({ userId }).first('balance')).balance
  }
  const slowDown = () => setClockSpeed(journey.product.db, 1)
  /** As if the address had requested twice the free codes in the last hour. */
  async function exceedFreeCodes() {
    const { redisUrl, redisPrefix, otpPerAddressHour } = journey.product.config
    const redis = redisForRequests(redisUrl)
    const key = `${redisPrefix}:limit:otp-address:127.0.0.1`
    await redis.set(key, otpPerAddressHour / 15, 'EX', 3_600)
    redis.disconnect()
  }

  it('a browser that refuses to start a worker computes the proof of work on the page', async () => {
    journey.allow(/status of 428 .*send-otp/, /worker-src 'none'/)
    await exceedFreeCodes()
    const strict = await journey.open('about:blank')
    await strict.route('**/auth', async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': policy = '', ...headers } = response.headers()
      const refused = `${policy.replace(/worker-src[^;]*/, '')}; worker-src 'none'`
      await route.fulfill({ response, headers: { ...headers, 'content-security-policy': refused } })
    })
    await strict.goto('/auth')
    await strict.getByRole('tab', { name: 'Register' }).click()
    await interactive(strict)
    const proven = strict.waitForRequest((request) => Boolean(request.postDataJSON()?.proof))
    await field(strict, 'Email').fill('strict@test.example')
    await button(strict, 'Send OTP').click()
    await proven
    await seeToast(strict, 'OTP code has been sent to your email')
    await strict.context().close()
  })

  it('registration accepts only the mailed code, where many were requested after a proof of work', async () => {
    journey.allow(/status of 400 .*verify-otp/, /status of 428 .*send-otp/)
    await exceedFreeCodes()
    page = await journey.open('/auth', { reducedMotion: 'no-preference', colorScheme: 'light' })
    const scheme = 'getComputedStyle(document.documentElement).colorScheme'
    await expect.poll(() => page.evaluate(scheme)).toBe('dark')
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Register' }).click()
    await field(page, 'Username').waitFor()
    await expectAccessible(page)
    await field(page, 'Username').fill(ada.username)
    await field(page, 'Email').fill(ada.email)
    const refused = page.waitForResponse((response) => response.status() === 428)
    await button(page, 'Send OTP').click()
    await refused
    await seeToast(page, 'OTP code has been sent to your email')
    const code = await journey.mailbox.codeFor(ada.email)
    await field(page, 'OTP code').fill(code === '123456' ? '654321' : '123456')
    await seeToast(page, 'Invalid OTP code')
    await field(page, 'OTP code').fill(code)
    await seeToast(page, 'OTP code has been verified successfully')
  })

  it('registration leads to the dashboard', async () => {
    await field(page, 'Password').fill(ada.password)
    await field(page, 'Confirm password').fill(ada.password)
    await button(page, 'Register', true).click()
    await page.waitForURL('/mine')
    await seeToast(page, 'Registration successful', 'Your account has been created successfully!')
    await page.getByRole('heading', { name: 'Hello, ada!' }).waitFor()
    await page.getByText('Mining Inactive').waitFor()
    await connection(page, 'Live').waitFor()
    await expectAccessible(page)
  })

  it('the dial starts mining', async () => {
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
    const time = figure(page, 'Time')
    const next = page.getByText(/^Next credit in/)
    const left = async () => (await next.textContent()) ?? ''
    const started = await time.textContent()
    await expect.poll(() => time.textContent()).not.toBe(started)
    expect(started).toMatch(/^00:\d\d:\d\d$/)
    expect(await left()).toMatch(/^Next credit in [01]\d:\d\d$|^Next credit in 20:00$/)
    // It starts again with the next credit.
    const falls = async () => {
      const before = await left()
      await sleep(600)
      return (await left()) < before
    }
    await expect.poll(falls).toBe(true)
    await page.getByText(/^Mining in progress: \+0\.0\d+ TESP$/).waitFor()
  })

  it('a push announces the first credit', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await seeToast(page, REWARD_TITLE, REWARD_TEXT)
    await slowDown()
    // The check 20 s after the socket opened may fall into this step.
    const reads = asked.filter((url) => url.includes('/api/mining/status'))
    expect(reads.length).toBeLessThanOrEqual(1)
  })

  it('a reload does not announce the credit again', async () => {
    await page.reload()
    await page.getByText('Mining Active').waitFor()
    await connection(page, 'Live').waitFor()
    await goTo(page, 'Wallet')
    await page.getByText('My Wallet').waitFor()
    // On a slow machine further credits may have become due before the clock was slowed down.
    const further = (await ledger('credit:%')).length - 1
    expect(await countToasts(page, REWARD_TITLE)).toBeLessThanOrEqual(further)
  })

  it('the wallet shows the balance and the credits behind it', async () => {
    // A slow machine may receive further credits meanwhile.
    const credits = async () => (await ledger('credit:%')).map(({ amount }) => amount)
    const missing = async () => {
      const balance = sum(...(await credits()))
      const shown = (await asset(page, 'TESP').textContent()) ?? ''
      return [(await balanceOf()) !== balance, !shown.includes(display(balance, 4))]
    }
    await expect.poll(missing).toEqual([false, false])
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Activity' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'Mining Reward' })
    await row.first().getByText('+0.0333').waitFor()
    await expect.poll(async () => (await row.count()) - (await credits()).length).toBe(0)
  })

  it('rewards earned since the last credit are pending and can be claimed', async () => {
    await goTo(page, 'Mine')
    await button(page, 'Stop mining').click()
    await page.getByText('Mining Inactive').waitFor()
    await button(page, 'Claim Rewards').click()
    await shownToast(page).getByText('Rewards Claimed Successfully', { exact: true }).waitFor()
    const [claim] = await ledger('claim:%')
    await seeToast(
      page,
      'Rewards Claimed Successfully',
      `${display(claim.amount, 4)} TESP added to your wallet.`,
    )
    await expect.poll(() => figure(page, 'TESP').textContent()).toBe('0.0000')
  })

  it('a claim starts a cooldown of 20 minutes', async () => {
    await button(page, 'Start mining').click()
    await page.getByText('Mining Active').waitFor()
    await expect.poll(() => figure(page, 'Time').textContent()).toMatch(/^00:\d\d:(?!00)\d\d$/)
    await button(page, 'Stop mining').click()
    await page.getByText('Mining Inactive').waitFor()
    await page.getByText(/^Cooldown: 1\dm [0-5]\ds$/).waitFor()
    await expect.poll(() => button(page, 'Claim Rewards').isDisabled()).toBe(true)
  })

  it('the allocation chart shows the balances', async () => {
    await goTo(page, 'Wallet')
    await button(page, 'Chart').click()
    const dialog = page.getByRole('dialog', { name: 'Asset Allocation' })
    const shown = display(await balanceOf(), 4)
    await dialog.getByRole('img', { name: `Donut chart: ${shown} TESP` }).waitFor()
    await dialog.locator('[role=img] svg').waitFor()
    await dialog.getByRole('row', { name: `TESP ${shown}` }).waitFor()
    await dialog.getByRole('row', { name: 'Total value $0.00' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  it('the audit passes after onboarding', async () => {
    expect((await audit(journey.product.db)).problems).toEqual([])
  })

  it('a member can sign in with the keyboard only', async () => {
    keys = await journey.open('/auth')
    await field(keys, 'Password').waitFor()
    const focused = async () => keys.evaluate<string>('document.activeElement.textContent')
    const press = (key: string) => keys.keyboard.press(key)
    await press('Tab')
    expect(await focused()).toBe('Skip to content')
    await interactive(keys)
    await press('Tab')
    expect(await focused()).toBe('Login')
    await press('Tab')
    await keys.keyboard.type(ada.username)
    await press('Tab')
    await keys.keyboard.type(ada.password)
    await press('Tab')
    await press('Tab')
    await press('Space')
    expect(await keys.getByRole('checkbox', { name: 'Remember me' }).isChecked()).toBe(true)
    await press('Tab')
    expect(await focused()).toBe('Forgot password')
    await press('Tab')
    await keys.setViewportSize({ width: 1440, height: 900 })
    await press('Enter')
    // In one call: on a busy machine the toast is gone before a second one.
    const toast = await shownToast(keys).evaluate(textAndWidth)
    expect(toast.text).toBe('Login successfulWelcome back, ada!')
    expect(toast.width).toBeLessThanOrEqual(420)
    await keys.waitForURL('/mine')
  })

  it('reduced motion disables all animations', async () => {
    // Journeys open pages with it.
    await keys.setViewportSize({ width: 390, height: 844 })
    await button(keys, 'Start mining').click()
    await keys.getByText('Mining Active').waitFor()
    const moving = 'document.getAnimations().map((one) => one.effect.target.className)'
    expect(await keys.evaluate(moving)).toEqual([])
  })
})
