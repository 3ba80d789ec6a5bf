import { expect, it } from 'vitest'
import { listActions } from '#operators/actions/action-log'
import { actionsOf, PNG, submit, useConsole } from '#operators/console/testing/use-console'

const reviewer = useConsole('reviewer')

it('each view of a document is logged', async () => {
  const { path, id, userId: memberId } = await submit(reviewer.fresh)
  await reviewer.signIn()
  expect(await reviewer.text('/identity')).toContain(`href="${path}"`)
  expect(await reviewer.text(path)).toContain(`src="${path}/content"`)
  expect(await actionsOf(reviewer.fresh, memberId)).toEqual([])
  const content = await reviewer.get(`${path}/content`)
  expect(Buffer.from(await content.arrayBuffer())).toEqual(PNG)
  expect(content.headers.get('Content-Type')).toBe('image/png')
  expect(content.headers.get('Content-Security-Policy')).toContain('sandbox')
  expect(content.headers.get('Cache-Control')).toBe('no-store')
  expect(await listActions(reviewer.fresh.db, 9, { memberId })).toMatchObject([
    { action: 'kyc view', operator: reviewer.name, details: { document: id } },
  ])
})

it('a document is shown whatever its member is called', async () => {
  const { path, userId } = await submit(reviewer.fresh)
  const name = { username: 'check', usernameKey: 'check' }
  await reviewer.fresh.db('users').where({ id: userId }).update(name)
  await reviewer.signIn()
  expect((await reviewer.get(`${path}/content`)).status).toBe(200)
  expect(await actionsOf(reviewer.fresh, userId)).toEqual([['kyc view', reviewer.name]])
})

it('a PDF is a link', async () => {
  const { path } = await submit(reviewer.fresh, 'application/pdf')
  await reviewer.signIn()
  expect(await reviewer.text(path)).toContain(`<a href="${path}/content">Open the PDF</a>`)
  const { headers } = await reviewer.get(`${path}/content`)
  expect(headers.get('Content-Type')).toBe('application/pdf')
  expect(headers.get('Content-Disposition')).toBe('inline')
})

it('HTML that was uploaded as a picture is sent as one, sandboxed', async () => {
  const bytes = Buffer.from('<script>alert(1)</script>')
  const { path, userId } = await submit(reviewer.fresh, 'image/png', bytes)
  await reviewer.signIn()
  const { headers } = await reviewer.get(`${path}/content`)
  expect(headers.get('Content-Type')).toBe('image/png')
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; frame-ancestors 'none'; sandbox",
  )
  expect(await actionsOf(reviewer.fresh, userId)).toEqual([['kyc view', reviewer.name]])
})

it('a picture is enlarged and turned by links', async () => {
  const { path } = await submit(reviewer.fresh)
  await reviewer.signIn()
  expect(await reviewer.text(path)).toContain('class="picture zoom-fit"')
  const page = await reviewer.text(`${path}?zoom=200&turn=90`)
  expect(page).toContain('class="picture zoom-200"')
  expect(page).toContain('class="turn-90"')
  expect(await reviewer.text(`${path}?zoom=x&turn="><script>`)).not.toContain('<script')
})

it('an accepted document verifies the member, sends a mail and is logged', async () => {
  const { id, userId } = await submit(reviewer.fresh)
  await reviewer.signIn()
  const fields = { arg0: String(id), reason: 'the picture matches' }
  expect(await (await reviewer.act('kyc accept', fields)).text()).toContain('is verified')
  const { email, kycStatus } = await reviewer.fresh.db('users').where({ id: userId }).first()
  expect(kycStatus).toBe('verified')
  expect(await reviewer.fresh.db('mails').where({ recipient: email }).pluck('subject')).toEqual([
    'TESP Network: your identity is verified',
  ])
  expect(await actionsOf(reviewer.fresh, userId)).toEqual([['kyc accept', reviewer.name]])
  expect((await reviewer.act('kyc reject', { ...fields, reason: 'too late' })).status).toBe(404)
})

it('a document is rejected with a reason only, and after a question', async () => {
  const { userId, id } = await submit(reviewer.fresh)
  await reviewer.signIn()
  const arg0 = String(id)
  for (const reason of ['', ' ', 'mail to zoe@test.example']) {
    const answer = await reviewer.ask('kyc reject', { arg0, reason })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('class="notice refused">The reason must')
  }
  const reason = 'The picture is blurred'
  const question = await reviewer.ask('kyc reject', { arg0, reason })
  expect(await question.text()).toContain(`Reject document ${id} with the reason`)
  expect(await actionsOf(reviewer.fresh, userId)).toEqual([])
  await reviewer.act('kyc reject', { arg0, reason })
  const row = await reviewer.fresh.db('kyc_documents').where({ id }).first()
  expect(row).toMatchObject({ accepted: false, reason })
  expect(await actionsOf(reviewer.fresh, userId)).toEqual([['kyc reject', reviewer.name]])
})

it('a ready reason fills the form', async () => {
  const { id } = await submit(reviewer.fresh)
  await reviewer.signIn()
  const form = await reviewer.text(`/actions/kyc/reject?arg0=${id}&given=arg0`)
  const [, link = ''] = /<li><a href="([^"]*blurred[^"]*)"/.exec(form) ?? []
  const filled = await reviewer.text(link.replaceAll('&amp;', '&'))
  expect(filled).toMatch(/<textarea[^>]*>The picture is blurred/)
  expect(filled).toContain(`name="arg0" value="${id}"`)
})

it.each(['/identity/999999', '/identity/x', '/identity/999999/content', '/identity/1e3'])(
  '%s is not found',
  async (path) => {
    await reviewer.signIn()
    expect((await reviewer.get(path)).status).toBe(404)
  },
)
