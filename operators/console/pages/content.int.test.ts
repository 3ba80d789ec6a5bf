import { beforeEach, describe, expect, it } from 'vitest'
import { recordFigures } from '#db/daily-figures'
import { enqueueMail, MAIL_TRIES } from '#db/mails'
import { inTransaction } from '#db/postgres/statements/transaction'
import { addAnnouncement } from '#operators/actions/announcements'
import { titleOf } from '#operators/console/roles'
import { fieldsIn, useConsole } from '#operators/console/testing/use-console'
import { HOUR_MS } from '#rules/constants'
import { awayFromMidnight } from '#scripts/testing/away-from-midnight'
import { insertMember, insertMembers } from '#scripts/testing/db/members'

const operator = useConsole()
const db = () => operator.fresh.db
const reason = 'a test'
beforeEach(awayFromMidnight)
beforeEach(() => operator.signIn())

const until = '2099-01-01T00:00'
const announcement = { kind: 'urgent', from: '', until, en: 'Read <b>this</b>', vi: 'Đọc tin này' }

describe('announcements', () => {
  it('an announcement is previewed in both languages, and published once confirmed', async () => {
    const fields = { ...announcement, en: 'Read & answer', reason }
    const asked = await (await operator.ask('announcements add', fields)).text()
    expect(asked).toContain('<div lang="en"><p class="notice ">Read &amp; answer</p></div>')
    expect(asked).toContain('<div lang="vi"><p class="notice ">Đọc tin này</p></div>')
    expect(asked).not.toMatch(/^\s*\?/m)
    const other = { ...fieldsIn(asked), en: 'Read nothing' }
    expect((await operator.ask('announcements add', other)).status).toBe(403)
    expect(await db()('announcements')).toEqual([])
    const done = await operator.ask('announcements add', fieldsIn(asked))
    expect(await done.text()).toContain('is published')
    expect(await db()('announcements')).toMatchObject([{ kind: 'urgent' }])
    expect(await operator.text('/announcements')).toContain('Read &amp; answer')
  })

  it('markup is refused, and the form keeps what was typed', async () => {
    const answer = await operator.ask('announcements add', { ...announcement, reason })
    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain('texts.en must be plain text in one line')
    expect(page).toContain('Read &lt;b&gt;this&lt;/b&gt;')
  })

  it('the link to a change fills the form with what was announced', async () => {
    const texts = { en: 'Sleep well', vi: 'Ngủ ngon' }
    const draft = { kind: 'news', until: '2098-01-01T00:00:00Z', texts } as const
    const id = await inTransaction(db(), (tx) => addAnnouncement(tx, draft))
    const page = await operator.text('/announcements')
    const links = [...page.matchAll(/href="([^"]*edit[^"]*)"/g)].map(([, link = '']) => link)
    const link = links.find((each) => each.includes(`arg0=${id}&`))
    const form = await operator.text((link ?? '').replaceAll('&amp;', '&'))
    expect(fieldsIn(form)).toMatchObject({ ...texts, until: '2098-01-01T00:00:00' })
  })

  it('a confirmed announcement that is refused comes back with what was typed', async () => {
    const fields = { ...announcement, en: 'Read & answer', reason }
    const refused = await operator.act('announcements edit', { ...fields, arg0: '999999' })
    expect(refused.status).toBe(404)
    const page = await refused.text()
    expect(page).toContain('There is no such announcement')
    expect(fieldsIn(page)).toMatchObject({ ...fields, arg0: '999999' })
  })
})

describe('tasks', () => {
  const task = {
    id: 'read_news',
    'title-en': 'Read the news',
    'title-vi': 'Đọc tin',
    'description-en': 'Every day.',
    'description-vi': 'Mỗi ngày.',
    reward: '0.5',
    platform: 'website',
    action: 'visit',
    link: 'https://example.com/news',
  }

  /** The fields of the form to which the page of a task leads. */
  const formOfChange = async (id: string) => {
    const [, link = ''] =
      /href="([^"]*tasks\/edit[^"]*)"/.exec(await operator.text(`/tasks/${id}`)) ?? []
    return fieldsIn(await operator.text(link.replaceAll('&amp;', '&')))
  }

  it('a draft is made from fields, previewed in both languages, and published from its page', async () => {
    const asked = await (await operator.ask('tasks add', { ...task, reason })).text()
    expect(asked).toContain('<div lang="vi"><p><b>Đọc tin</b>')
    await operator.ask('tasks add', fieldsIn(asked))
    const page = await operator.text('/tasks/read_news')
    expect(page).toContain('<div lang="en"><p><b>Read the news</b>')
    expect(page).toContain('/actions/tasks/publish?arg0=read_news')
    await operator.act('tasks publish', { arg0: 'read_news', reason })
    expect(await db()('tasks').where({ id: 'read_news' }).first()).toMatchObject({
      status: 'active',
      check: 'trust',
      cap: null,
    })
  })

  it('a wrong field is explained', async () => {
    const answer = await operator.ask('tasks add', { ...task, reward: 'much', reason })
    expect(await answer.text()).toContain('The reward must be a decimal such as 0.5')
  })

  it('a confirmed draft that is refused comes back with what was typed', async () => {
    const ends = '2099-01-01T00:00:30'
    const fields = { ...task, id: 'twice', cap: '9', starts: '', ends, chat: '@tesp_news', reason }
    expect((await operator.act('tasks add', fields)).status).toBe(200)
    const refused = await operator.act('tasks add', fields)
    expect(refused.status).toBe(400)
    const page = await refused.text()
    expect(page).toContain('There is a task twice already')
    expect(fieldsIn(page)).toMatchObject(fields)
  })

  it('a change names what differs, and the end keeps its seconds', async () => {
    const ends = '2099-01-01T00:00:30'
    await operator.act('tasks add', { ...task, id: 'kept', ends, reason })
    const form = { ...(await formOfChange('kept')), reason }
    expect(form).toMatchObject({ ends })
    const unchanged = await operator.ask('tasks edit', form)
    expect(await unchanged.text()).toContain('kept is unchanged')
    const asked = await operator.ask('tasks edit', { ...form, reward: '0.75' })
    expect(await asked.text()).toContain('Change reward from 0.5 to 0.75 of the task kept?')
  })

  it('a membership is checked in the channel of the form, and a change keeps it', async () => {
    const chat = '@tesp_news'
    await operator.act('tasks add', { ...task, id: 'join', chat, reason })
    expect(await formOfChange('join')).toMatchObject({ chat })
    const stored = await db()('tasks').where({ id: 'join' }).first()
    expect(stored).toMatchObject({ check: 'telegram', chat })
  })

  it('no page shows a code word', async () => {
    await db()('tasks').where({ id: 'join_telegram' }).update({ check: 'code', code: 'secretword' })
    for (const path of ['/tasks', '/tasks/join_telegram']) {
      expect(await operator.text(path)).not.toContain('secretword')
    }
  })
})

it('the minimum version is lifted with one button, which then is gone', async () => {
  expect(await operator.text('/releases')).not.toContain('/actions/versions/lift')
  const version = { arg0: '1.0.0', 'option-min': '1.0.0', reason }
  const asked = await (await operator.ask('versions set', version)).text()
  expect(asked).toContain('Record version 1.0.0, and ask clients older than 1.0.0 to reload?')
  await operator.act('versions set', version)
  expect(await operator.text('/releases')).toContain('/actions/versions/lift')
  await operator.act('versions lift', { reason })
  expect(await operator.text('/releases')).toContain('Any client is accepted.')
})

it('the form of a flag begins with its members, and its question says who gets and who loses it', async () => {
  const [kept = 0, lost = 0, added = 0] = await insertMembers(db(), 3)
  await db()('feature_flags')
    .where({ name: 'kyc' })
    .update({ enabledForUsers: [kept, lost] })
  const [, link = ''] = /href="([^"]*flags\/for[^"]*)"/.exec(await operator.text('/releases')) ?? []
  const form = fieldsIn(await operator.text(link.replaceAll('&amp;', '&')))
  expect(form).toMatchObject({ arg0: 'kyc', given: 'arg0', arg1: `id:${kept} id:${lost}` })
  const fields = { ...form, arg1: `id:${kept} id:${added}`, reason }
  const asked = await (await operator.ask('flags for', fields)).text()
  expect(asked).toMatch(
    new RegExp(`Gets it: member ${added} \\(\\S+\\)\\. Loses it: member ${lost} \\(\\S+\\)\\.<`),
  )
  await operator.act('flags for', fields)
  const flag = await db()('feature_flags').where({ name: 'kyc' }).first()
  expect(flag.enabledForUsers).toEqual([kept, added])
})

it('a feature is given to newer clients only, and to any again by an empty version', async () => {
  const required = async () =>
    (await db()('feature_flags').where({ name: 'kyc' }).first()).requiredVersion
  await operator.act('flags require', { arg0: 'kyc', arg1: '1.0.0', reason })
  expect(await required()).toBe('1.0.0')
  expect(await operator.text('/releases')).toContain('1.0.0 or newer')
  await operator.act('flags require', { arg0: 'kyc', arg1: '', reason })
  expect(await required()).toBeNull()
})

it('a flag of more members than an address may name is changed on a terminal', async () => {
  const flag = db()('feature_flags').where({ name: 'kyc' })
  const manyIds = Array.from({ length: 501 }, (_, n) => 100_000 + n)
  await flag.clone().update({ enabledForUsers: manyIds })
  expect(await operator.text('/releases')).toContain('changed on a terminal: ops flags for')
  await flag.clone().update({ enabledForUsers: manyIds.slice(1) })
  expect(await operator.text('/releases')).not.toContain('on a terminal')
  await flag.update({ enabledForUsers: [] })
})

it('the overview has a figure, a line and a row for each day, and no script', async () => {
  await insertMember(db())
  await recordFigures(db())
  const answer = await operator.get('/overview')
  const page = await answer.text()
  for (const name of ['Credit lag', 'Sign-ups today', 'Back after seven days', 'Failed mails']) {
    expect(page).toContain(`<h2>${name}</h2>`)
  }
  expect(page).toMatch(
    /<svg class="spark"[^>]* role="img" aria-label="Sign-ups today, 30 days: from 0 to \d+">/,
  )
  expect(page).toContain('sweep-credits')
  expect(page).not.toMatch(/<script|style=/)
  expect(answer.headers.get('Content-Security-Policy')).not.toMatch(/script|unsafe/)
})

it('the overview counts failed and rejected mails, and offers to send again what a retry of all takes', async () => {
  const mail = { to: 'a@test.example', subject: 'x', text: 'x' }
  const [old, rejected, given] = await inTransaction(db(), async (tx) => {
    const write = () => enqueueMail(tx, operator.fresh.dataKey, mail)
    return [await write(), await write(), await write()]
  })
  const fail = (id: number | undefined, hoursAgo: number, attempts: number) =>
    db()('mails')
      .where({ id })
      .update({ failedAt: new Date(Date.now() - hoursAgo * HOUR_MS), attempts, lastError: '550' })
  await fail(old, 25, MAIL_TRIES)
  await fail(rejected, 0, 1)
  const TILE =
    /<h2>Failed mails<\/h2>\s*<p class="now([^"]*)">(\d+).*?(\d+) of them rejected(.*?)<\/li>/s
  const tile = async () => {
    const [, bad, now, ofThem, rest = ''] = TILE.exec(await operator.text('/overview')) ?? []
    return [bad, now, ofThem, rest.includes('/actions/mail/retry')]
  }
  expect(await tile()).toEqual(['', '1', '1', false])
  await fail(given, 0, MAIL_TRIES)
  expect(await tile()).toEqual([' bad', '2', '1', true])
  const asked = await operator.ask('mail retry', { arg0: '@all', reason })
  expect(await asked.text()).toContain('1 × x')
  await fail(given, 25, MAIL_TRIES)
  await db()('mails').insert(
    Array.from({ length: 20 }, (_, n) => ({
      recipient: mail.to,
      recipientKey: mail.to,
      subject: 'x',
      failedAt: new Date(),
      attempts: 1,
      // Half of them were never tried, because their address refuses mails.
      lastError: n % 2 ? '550' : 'not tried: the address refuses mails',
    })),
  )
  expect(await tile()).toEqual([' bad', '11', '11', false])
})

it('credits a second of a day that goes on are those of its counted part', async () => {
  await recordFigures(db())
  const midnight = new Date().setUTCHours(0, 0, 0, 0)
  await db()('daily_figures')
    .whereRaw("day = (now() at time zone 'UTC')::date")
    .update({ credits: 7_200, at: new Date(midnight + HOUR_MS) })
  const [, label] =
    /aria-label="(Credits a second[^"]*)"/.exec(await operator.text('/overview')) ?? []
  expect(label).toMatch(/ to 2$/)
})

describe('suspicious teams', () => {
  const suspicious = async () => {
    const userId = await insertMember(db())
    await db()('users')
      .where({ id: userId })
      .update({ referralCode: `TESPC${userId}` })
    const evidence = { members: 9, sameMinute: 9, neverMined: 9, olderThanADay: 9, disposable: 0 }
    const row = { ...evidence, sharedNetwork: 0, networkKnown: 0, together: 9, togetherIdle: 9 }
    await db()('suspicious_teams').insert({ userId, score: 9, evidence: row })
    return userId
  }

  it('a support person freezes the code of a team from its evidence', async () => {
    const id = await suspicious()
    const support = await (await operator.another('support')).signIn()
    expect(await support.text('/teams')).toContain(`href="/teams/${id}"`)
    expect(await support.text('/teams')).toContain('9 of 9 have never mined')
    const page = await support.text(`/teams/${id}`)
    expect(page).toContain(`/actions/codes/freeze?arg0=TESPC${id}`)
    expect(page).toContain(`/actions/members/freeze?arg0=id%3A${id}`)
    await support.act('codes freeze', { arg0: `TESPC${id}`, reason: 'nine have never mined' })
    expect(await support.text('/teams')).not.toContain(`href="/teams/${id}"`)
    expect(await support.text(`/teams/${id}`)).toContain(
      'The code is frozen: nine have never mined',
    )
  })

  it('the next page of teams goes on behind this one', async () => {
    await db()('suspicious_teams').delete()
    const ids = await insertMembers(db(), 51)
    const evidence = { members: 9, together: 9, togetherIdle: 9 }
    await db()('suspicious_teams').insert(ids.map((userId) => ({ userId, score: 9, evidence })))
    const shown = async (path: string) =>
      [...(await operator.text(path)).matchAll(/href="\/teams\/(\d+)"/g)].map(([, id]) =>
        Number(id),
      )
    const first = await shown('/teams')
    const [, next = ''] = /href="(\/teams\?after=[^"]*)"/.exec(await operator.text('/teams')) ?? []
    expect(first).toHaveLength(50)
    expect(await shown(next)).toEqual(ids.filter((id) => !first.includes(id)))
    await db()('suspicious_teams').delete()
  })

  it('a reader sees the evidence and no button', async () => {
    const id = await suspicious()
    const reader = await (await operator.another('reader')).signIn()
    expect(await reader.text(`/teams/${id}`)).toContain('Score')
    expect(await reader.text(`/teams/${id}`)).not.toContain('/actions/')
  })
})

describe('the queue board', () => {
  async function mailQueue() {
    const answer = await operator.get('/queues/board/api/queues')
    const { queues } = (await answer.json()) as { queues: { name: string; isPaused: boolean }[] }
    return queues.find(({ name }) => name === 'send-mail')
  }

  it('is open to support and owners, with its own content security policy', async () => {
    const page = await operator.get('/queues/board')
    expect([page.status, page.headers.get('Content-Type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'self'")
    expect(await mailQueue()).toMatchObject({ name: 'send-mail' })
    const other = await operator.get('/queues')
    expect(other.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
  })

  it.each(['reader', 'reviewer'] as const)('is refused to a %s, and logged', async (role) => {
    const browser = await (await operator.another(role)).signIn()
    for (const path of ['/queues/board', '/queues/board/api/queues']) {
      expect((await browser.get(path)).status).toBe(403)
    }
    expect(await browser.text('/queues')).not.toContain('href="/queues/board"')
    const refused = await db()('operator_actions')
      .where({ operator: browser.name })
      .pluck('details')
    expect(refused).toContainEqual(expect.objectContaining({ page: 'queue board' }))
  })

  it('a board that is left open does not keep its operator signed in', async () => {
    const newest = () => db()('operator_sign_ins').orderBy('id', 'desc').first()
    await db()('operator_sign_ins').update({ seenAt: db().raw(`now() - interval '10 minutes'`) })
    const { seenAt } = await newest()
    await mailQueue()
    expect((await newest()).seenAt).toEqual(seenAt)
    await operator.get('/queues/board')
    expect((await newest()).seenAt.getTime()).toBeGreaterThan(seenAt.getTime())
  })

  it('needs a sign-in, and changes nothing', async () => {
    const stranger = await operator.another('owner')
    expect((await stranger.get('/queues/board/api/queues')).status).toBe(303)
    const pause = `${operator.origin}/queues/board/api/queues/send-mail/pause`
    const headers = { Cookie: operator.jar.header() ?? '', Origin: operator.origin }
    for (const method of ['GET', 'PUT']) {
      expect((await fetch(pause, { method, headers })).status).toBe(404)
    }
    expect(await mailQueue()).toMatchObject({ isPaused: false })
  })
})

it('the log calls actions by plain words, and is filtered by them', async () => {
  const memberId = await insertMember(db())
  await operator.act('members freeze', { arg0: `id:${memberId}`, reason })
  const page = await operator.text('/log')
  expect(page).toContain('<span title="members freeze">Freeze a member</span>')
  expect(page).toContain('<span title="console sign-in">Signed in</span>')
  expect(page).toContain('<option value="members freeze">Freeze a member</option>')
  const filtered = await operator.text('/log?action=members+freeze')
  expect(filtered).toContain('<option value="members freeze" selected>')
  expect(filtered).not.toContain('<span title="console sign-in">')
})

it('every name in the log has a title', async () => {
  const names: string[] = await db()('operator_actions').distinct().pluck('action')
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => titleOf(name) === name)).toEqual([])
})
