import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAnnouncements } from '#db/inbox/announcements'
import { operate } from '#operators/ops/testing/operate'
import { createLog } from '#runtime/log'
import { type Change, ChangeChannel } from '#runtime/pubsub'
import { useProduct } from '#scripts/testing/gateway/use-product'

const product = useProduct()
const changes: Change[] = []
const texts = { en: 'Mining pauses.', vi: 'Khai thác tạm dừng.' }
const until = new Date(Date.now() + 3_600_000).toISOString()
const draft = (more: object = {}) => JSON.stringify({ kind: 'news', until, texts, ...more })

let subscriber: Redis

beforeAll(async () => {
  const { redisUrl, redisPrefix } = product.config
  subscriber = new Redis(redisUrl)
  const channel = new ChangeChannel(subscriber, redisPrefix, createLog('test', 'silent'))
  await channel.subscribe((change) => changes.push(change))
})
afterAll(() => subscriber.disconnect())

it('an announcement is added, edited, listed and ended, in JSON, in the log and on open pages', async () => {
  const { db } = product
  const added = JSON.parse(await operate(product, 'announcements add', [draft()], { json: true }))
  const [id] = (await openAnnouncements(db)).map((one) => one.id)
  expect(added).toEqual({ done: `announcement ${id} is published` })
  const changed = draft({ texts: { ...texts, en: 'Mining goes on.' } })
  await operate(product, 'announcements edit', [String(id), changed], {})
  const listed = JSON.parse(await operate(product, 'announcements list', [], { json: true }))
  expect(listed).toMatchObject([{ id, kind: 'news', en: 'Mining goes on.', vi: texts.vi }])
  await operate(product, 'announcements end', [String(id)], {})
  expect(await openAnnouncements(db)).toEqual([])
  const log = await db('operator_actions').orderBy('id').select('action', 'details')
  expect(log).toEqual([
    { action: 'announcements add', details: { announcement: id, kind: 'news', ...texts } },
    {
      action: 'announcements edit',
      details: { announcement: id, kind: 'news', ...texts, en: 'Mining goes on.' },
    },
    { action: 'announcements end', details: { announcement: id } },
  ])
  await expect.poll(() => changes).toEqual(Array(3).fill({ kind: 'announcements' }))
})

it.each(['no JSON', '7', '{"kind":"news"}', draft({ until: 'soon' })])(
  '%s is refused, and nothing is logged',
  async (text) => {
    const before = await product.db('operator_actions').count()
    const added = operate(product, 'announcements add', [text], {})
    await expect(added).rejects.toMatchObject({ code: 'bad_input' })
    expect(await product.db('operator_actions').count()).toEqual(before)
  },
)
