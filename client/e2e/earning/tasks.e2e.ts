import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  asset,
  button,
  connection,
  goTo,
  identity,
  openAs,
  seeToast,
} from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { reportTime } from '#client/e2e/testing/network.ts'
import { audit } from '#db/ledger/audit'
import { operate } from '#operators/ops/testing/operate'
import { display, sum } from '#rules/money/money'
import { aTask } from '#scripts/testing/db/tasks'

const TASKS = [
  { title: 'Follow us on Twitter', reward: '2' },
  { title: 'Join our Telegram', reward: '1' },
]
const ALL = TASKS.length
const EARNED = sum(...TASKS.map(({ reward }) => reward))
const CLAIMED = 'You have received the reward for this task! Check your wallet balance.'

describe('tasks', () => {
  const journey = useJourney()
  const tia = identity('tia')
  let page: Page
  let late: Page

  const task = (name: string, on = page) => on.getByRole('listitem').filter({ hasText: name })
  const claim = (name: string, on = page) => task(name, on).getByRole('button')
  const seeProgress = async (text: string, percent: string, earned: string) => {
    await page.getByText(text, { exact: true }).waitFor()
    await page.getByText(percent, { exact: true }).waitFor()
    await page.getByText(earned, { exact: true }).waitFor()
  }

  it('open tasks are listed with their links', async () => {
    await journey.visitor().register(tia)
    page = await openAs(journey, tia.username, '/tasks')
    await seeProgress(`0 of ${ALL} completed`, '0%', '0.0')
    for (const { title } of TASKS) {
      const visit = task(title).getByRole('link', { name: /Visit/ })
      await expect.poll(() => visit.getAttribute('target')).toBe('_blank')
      await expect.poll(() => visit.getAttribute('href')).toMatch(/^https:\/\//)
      await task(title).scrollIntoViewIfNeeded()
    }
    late = await openAs(journey, tia.username, '/tasks')
    // The check 20 s after its socket opened would find what the other device claims.
    let isLate = true
    await late.route('**/api/tasks/completed', (route) =>
      isLate ? route.fulfill({ json: { completedTasks: [] } }) : route.continue(),
    )
    await late.route('**/api/tasks/complete', (route) => {
      isLate = false
      return route.continue()
    })
    await expectAccessible(page)
  })

  it('a claimed task pays its reward', async () => {
    await claim('Follow us on Twitter').click()
    await seeToast(page, 'Success!', CLAIMED)
    await claim('Follow us on Twitter').getByText('Claimed', { exact: true }).waitFor()
    await expect.poll(() => claim('Follow us on Twitter').isDisabled()).toBe(true)
    await task('Follow us on Twitter')
      .getByText(/^Completed on .+ at .+/)
      .waitFor()
    await seeProgress(`1 of ${ALL} completed`, `${Math.round(100 / ALL)}%`, '2.0')
    await page.getByRole('tab', { name: `Pending (${ALL - 1})` }).click()
    for (const { title } of TASKS.slice(1)) {
      await claim(title).click()
      await task(title).waitFor({ state: 'detached' })
    }
    await page.getByText('All tasks completed!').waitFor()
    await seeProgress(`${ALL} of ${ALL} completed`, '100%', display(EARNED, 1))
    await page.getByRole('tab', { name: `Completed (${ALL})` }).click()
    await claim('Join our Telegram').getByText('Claimed', { exact: true }).waitFor()
  })

  it('a task pays once when a second device claims it too', async () => {
    journey.allow(/status of 409 .*\/api\/tasks\/complete$/)
    await claim('Join our Telegram', late).click()
    await seeToast(late, 'Already Claimed', 'You have already claimed the reward for this task!')
    await claim('Join our Telegram', late).getByText('Claimed', { exact: true }).waitFor()
  })

  it('Refresh reads the tasks again', async () => {
    await button(page, 'Refresh').click()
    await seeToast(page, 'Đã làm mới')
    await page.reload()
    await seeProgress(`${ALL} of ${ALL} completed`, '100%', display(EARNED, 1))
  })

  it('the wallet lists the rewards of tasks', async () => {
    await goTo(page, 'Wallet')
    await asset(page, 'TESP').getByText(display(EARNED, 4)).waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    for (const { title, reward } of TASKS) {
      await task(`Task reward: ${title}`)
        .getByText(`+${display(reward, 4)}`)
        .waitFor()
    }
    expect((await audit(journey.product.db)).problems).toEqual([])
  })

  it('a task that an operator publishes appears on the open page and pays until its cap', async () => {
    const { product } = journey
    const because = { reason: 'a campaign' }
    const zoe = identity('zoe')
    await journey.visitor().register(zoe)
    const other = await openAs(journey, zoe.username, '/tasks')
    await goTo(page, 'Tasks')
    await connection(page, 'Live').waitFor()
    await connection(other, 'Live').waitFor()
    const news = aTask({ id: 'news', reward: '0.75', cap: 1, check: 'code', code: 'mint' })
    await operate(product, 'tasks add', [JSON.stringify(news)], because)
    await operate(product, 'tasks publish', ['news'], because)
    const since = Date.now()
    await task('Read the news').waitFor()
    reportTime('tasks: a published one is on a live page after', Date.now() - since)
    await expectAccessible(page)

    journey.allow(/status of 400 .*\/api\/tasks\/complete$/)
    const code = task('Read the news').getByLabel('Code word')
    await code.fill('mind')
    await claim('Read the news').click()
    await seeToast(page, 'Error', 'The code word is not correct')
    await code.fill('mint')
    await claim('Read the news').click()
    await seeToast(page, 'Success!', CLAIMED)
    await claim('Read the news').getByText('Claimed', { exact: true }).waitFor()
    await claim('Read the news', other).getByText('All claimed', { exact: true }).waitFor()
    await expect.poll(() => claim('Read the news', other).isDisabled()).toBe(true)

    await operate(product, 'tasks end', ['news'], because)
    await task('Read the news', other).waitFor({ state: 'detached' })
    await task('Read the news').waitFor()
    expect((await audit(product.db)).problems).toEqual([])
  })
})
