import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { identity, openAs, signIn } from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { type RunningConsole, startConsole } from './server.ts'
import { acceptInvitationIn, carryOut } from './testing/press.ts'

/** A team of a farm as an operator and its members see it: the console and the product on one database. */
const SUPPORT_URL = 'https://help.tesp.example/frozen'
const journey = useJourney({ SUPPORT_URL })
const [farmer, bot] = [identity('farmer'), identity('farmbot')]
let running: RunningConsole
let support: Page
let member: Page
let teamPage = ''

beforeAll(async () => {
  const { config, db } = journey.product
  running = await startConsole({ ...config, consolePort: 0 })
  await journey.visitor().register(farmer)
  await journey.visitor().register(bot)
  const ids = await db('users').orderBy('id').pluck('id')
  await db('users').where({ id: ids[0] }).update({ referralCode: 'TESPFARMER' })
  await db('users').where({ id: ids[1] }).update({ referredBy: ids[0] })
  const join = { userId: ids[0], referredUserId: ids[1], rewardPercentage: 5 }
  await db('referral_rewards').insert(join)
  support = await journey.open('about:blank', { viewport: { width: 1440, height: 900 } })
  const place = { origin: running.origin, db, dataKey: config.dataKey }
  await acceptInvitationIn(support, place, { name: 'grace', role: 'support' })
  teamPage = `${running.origin}/teams/${ids[0]}`
})
afterAll(() => running?.close())

const help = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Contact support' })

it('support freezes a member from the page of the team, and the open page of the member signs out', async () => {
  member = await openAs(journey, bot.username, '/mine')
  await support.goto(teamPage)
  await carryOut(support, 'Freeze…', 'an account that only fills a team')
  await member.waitForURL('/auth')
})

it('the sign-in of a frozen member shows the reason and the way to help until it is read', async () => {
  journey.allow(/status of 403 .*\/api\/login$/)
  await signIn(member, bot.username)
  await member.getByRole('main').getByText('an account that only fills a team').waitFor()
  expect(await help(member).getAttribute('href')).toBe(SUPPORT_URL)
  await expectAccessible(member)
  if (process.env.E2E_PICTURES) {
    await member.screenshot({ path: `${process.env.E2E_PICTURES}/frozen-sign-in.png` })
  }
})

it('the owner of a frozen code reads the reason and the way to help on Team', async () => {
  await support.goto(teamPage)
  await carryOut(support, 'Freeze the code…', 'accounts that have never mined')
  const owner = await openAs(journey, farmer.username, '/team')
  await owner.getByText('This code takes no new members: accounts that have never mined').waitFor()
  expect(await help(owner).getAttribute('href')).toBe(SUPPORT_URL)
})
