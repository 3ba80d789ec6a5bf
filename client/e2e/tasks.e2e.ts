import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { audit } from '#db/ledger/audit'
import { asset, button, goTo, identity, openAs, seeToast } from './testing/actions.ts'
import { expectAccessible } from './testing/axe.ts'
import { useJourney } from './testing/journey.ts'

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
    await seeProgress('0 of 2 completed', '0%', '0.0')
    const visit = task('Follow us on Twitter').getByRole('link', { name: /Visit/ })
    expect(await visit.getAttribute('target')).toBe('_blank')
    expect(await visit.getAttribute('href')).toMatch(/^https:\/\//)
    late = await openAs(journey, tia.username, '/tasks')
    await expectAccessible(page)
  })

  it('a claimed task pays its reward', async () => {
    await claim('Follow us on Twitter').click()
    await seeToast(page, 'Success!', CLAIMED)
    await claim('Follow us on Twitter').getByText('Claimed', { exact: true }).waitFor()
    expect(await claim('Follow us on Twitter').isDisabled()).toBe(true)
    await task('Follow us on Twitter')
      .getByText(/^Completed on .+ at .+/)
      .waitFor()
    await seeProgress('1 of 2 completed', '50%', '2.0')
    await page.getByRole('tab', { name: 'Pending (1)' }).click()
    await claim('Join our Telegram').click()
    await page.getByText('All tasks completed!').waitFor()
    await seeProgress('2 of 2 completed', '100%', '3.0')
    await page.getByRole('tab', { name: 'Completed (2)' }).click()
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
    await seeProgress('2 of 2 completed', '100%', '3.0')
  })

  it('the wallet lists the rewards of tasks', async () => {
    await goTo(page, 'Wallet')
    await asset(page, 'TESP').getByText('3.0000').waitFor()
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText('+2.0000').waitFor()
    await page.getByText('+1.0000').waitFor()
    expect((await audit(journey.product.db)).problems).toEqual([])
  })
})
