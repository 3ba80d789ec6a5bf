import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { newestAnnouncements, openAnnouncements } from '#db/inbox/announcements'
import { deleteOld } from '#db/old-rows'
import { inTransaction } from '#db/postgres/statements/transaction'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { addAnnouncement, type Draft, editAnnouncement, endAnnouncement } from './announcements.ts'

let fresh: FreshDatabase
let memberId: number

beforeAll(async () => {
  fresh = await freshDatabase()
  memberId = await insertMember(fresh.db)
})
afterAll(() => fresh.close())

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const texts = { en: 'Mining pauses for an hour.', vi: 'Khai thác tạm dừng một giờ.' }
const news = (more: Partial<Draft> = {}): Draft => ({
  kind: 'news',
  until: inHours(24),
  texts,
  ...more,
})
const add = (draft: Draft) => inTransaction(fresh.db, (tx) => addAnnouncement(tx, draft))

describe('an announcement', () => {
  it('is one row for all members, in the order of the ids, and tells the gateways by the log', async () => {
    const before = await fresh.db('member_changes').where({ userId: -1 }).pluck('userId')
    const ids = await Promise.all([add(news()), add(news({ kind: 'urgent' }))])
    const open = await openAnnouncements(fresh.db)
    expect(open.map(({ id }) => id)).toEqual(ids.sort((a, b) => a - b))
    expect(open[0]).toMatchObject({ texts })
    const after = await fresh.db('member_changes').where({ userId: -1 }).pluck('userId')
    expect(after.length - before.length).toBe(2)
  })

  it('maintenance is announced before it begins, and is withdrawn when it is ended before', async () => {
    const id = await add(news({ kind: 'maintenance', from: inHours(2), until: inHours(3) }))
    expect((await openAnnouncements(fresh.db)).map((one) => one.id)).toContain(id)
    await inTransaction(fresh.db, (tx) => endAnnouncement(tx, id))
    expect((await newestAnnouncements(fresh.db, memberId)).map((one) => one.id)).not.toContain(id)
  })

  it('is withdrawn when it is ended in the millisecond in which it began', async () => {
    // Rounded to milliseconds, a beginning is before or after the clock: both happen in so many rounds.
    for (let round = 0; round < 20; round++) {
      const id = await inTransaction(fresh.db, async (tx) =>
        endAnnouncement(tx, await addAnnouncement(tx, news())),
      )
      expect(await fresh.db('announcements').where({ id })).toEqual([])
    }
  })

  it('stays in the inbox while it is open, however old it is', async () => {
    const id = await add(news({ until: inHours(99) }))
    const at = fresh.db.raw(`now() - interval '100 days'`)
    await fresh.db('announcements').where({ id }).update({ at, from: at })
    const shown = async () => (await newestAnnouncements(fresh.db, memberId)).map((one) => one.id)
    expect(await shown()).toContain(id)
    const past = fresh.db.raw(`now() + interval '1 second' - interval '95 days'`)
    await fresh.db('announcements').where({ id }).update({ until: past })
    expect(await shown()).not.toContain(id)
  })

  it('is edited while it is open; an ended one stays in the inbox and cannot be changed', async () => {
    const id = await add(news({ from: inHours(-1) }))
    const changed = { en: 'Another text', vi: 'Nội dung khác' }
    await inTransaction(fresh.db, (tx) => editAnnouncement(tx, id, news({ texts: changed })))
    await inTransaction(fresh.db, (tx) => endAnnouncement(tx, id))
    expect((await openAnnouncements(fresh.db)).map((one) => one.id)).not.toContain(id)
    expect(await newestAnnouncements(fresh.db, memberId)).toContainEqual(
      expect.objectContaining({ id, texts: changed }),
    )
    const again = inTransaction(fresh.db, (tx) => editAnnouncement(tx, id, news()))
    await expect(again).rejects.toMatchObject({ code: 'not_found' })
  })

  it('planned maintenance that becomes news begins at once, and what has begun keeps its beginning', async () => {
    const maintenance = { kind: 'maintenance', until: inHours(30) } as const
    const edited = async (id: number) => {
      await inTransaction(fresh.db, (tx) => editAnnouncement(tx, id, news({ until: inHours(1) })))
      return fresh.db('announcements').where({ id }).first()
    }
    const planned = await edited(await add(news({ ...maintenance, from: inHours(20) })))
    expect(planned.kind).toBe('news')
    expect(planned.from.getTime()).toBeLessThanOrEqual(Date.now())
    const from = inHours(-2)
    const begun = await edited(await add(news({ ...maintenance, from })))
    expect(begun.from.toISOString()).toBe(from)
  })

  it('an end that the clock of the database puts before the beginning is refused', async () => {
    vi.useFakeTimers({ now: Date.now() - 2 * 3_600_000, toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    await expect(add(news({ until: inHours(1) }))).rejects.toMatchObject({
      code: 'bad_input',
      message: 'from must be before until',
    })
  })

  it('is not in the inbox of a member who signed up after its end, and is deleted after 90 days', async () => {
    const id = await add(news({ from: inHours(-1) }))
    await inTransaction(fresh.db, (tx) => endAnnouncement(tx, id))
    const later = await insertMember(fresh.db)
    expect((await newestAnnouncements(fresh.db, later)).map((one) => one.id)).not.toContain(id)
    const old = fresh.db.raw(`now() - interval '91 days'`)
    const from = fresh.db.raw(`now() - interval '92 days'`)
    await fresh.db('announcements').where({ id }).update({ at: old, from, until: old })
    await deleteOld(fresh.db, 'announcements')
    expect(await fresh.db('announcements').where({ id })).toEqual([])
  })

  it.each<[string, unknown]>([
    ['an unknown kind', news({ kind: 'poem' as 'news' })],
    ['a missing language', news({ texts: { en: 'Only English' } as Draft['texts'] })],
    ['an unknown language', news({ texts: { ...texts, fr: 'Bonjour' } as Draft['texts'] })],
    ['an empty text', news({ texts: { ...texts, vi: ' ' } })],
    ['markup', news({ texts: { ...texts, en: 'Read <b>this</b>' } })],
    ['a link in Markdown', news({ texts: { ...texts, en: '[here](https://x.example)' } })],
    ['text that turns the direction', news({ texts: { ...texts, en: 'a\u202eb' } })],
    ['several lines', news({ texts: { ...texts, en: 'a\nb' } })],
    ['501 characters', news({ texts: { ...texts, en: 'a'.repeat(501) } })],
    ['an end in the past', news({ until: inHours(-1) })],
    ['a time in words', news({ until: 'tomorrow' })],
    ['news of the future', news({ from: inHours(1) })],
    ['maintenance without a beginning', news({ kind: 'maintenance' })],
    ['an end before the beginning', news({ kind: 'maintenance', from: inHours(30) })],
    ['no texts', { kind: 'news', until: inHours(1) }],
  ])('%s is refused', async (_, draft) => {
    await expect(add(draft as Draft)).rejects.toMatchObject({ code: 'bad_input' })
  })
})
