import { afterAll, beforeAll, expect, it } from 'vitest'
import { listActions } from '#operators/actions/action-log'
import { operate } from '#operators/ops/testing/operate'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.close())

const reason = 'joins the support team'
const reviewers = (verb: 'add' | 'remove', name: string) =>
  operate({ db: fresh.db, config: testConfig(fresh) }, `reviewers ${verb}`, [name], { reason })

it('ops reviewers add prints secrets that are stored nowhere in clear text', async () => {
  const printed = await reviewers('add', 'grace')
  const [, password = ''] = /^password +(\S{24})$/m.exec(printed) ?? []
  const [, secret = ''] =
    /^authenticator +otpauth:\/\/\S+secret=([A-Z2-7]{32})&/m.exec(printed) ?? []
  expect([password, secret]).not.toContain('')
  const stored = JSON.stringify([
    await fresh.db('reviewers').first(),
    await listActions(fresh.db, 9),
  ])
  expect(stored).not.toContain(password)
  expect(stored).not.toContain(secret)
  expect(await listActions(fresh.db, 1)).toMatchObject([
    { action: 'reviewers add', details: { name: 'grace' }, reason },
  ])
})

it.each(['grace', 'G', 'a b', '-x', 'x'.repeat(31)])(
  'the reviewer %j is rejected',
  async (name) => {
    await expect(reviewers('add', name)).rejects.toMatchObject({ code: 'bad_input' })
  },
)

it('ops reviewers remove removes a reviewer once', async () => {
  await reviewers('remove', 'grace')
  await expect(reviewers('remove', 'grace')).rejects.toThrow('no such reviewer')
})
