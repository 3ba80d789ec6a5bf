import { expect, it } from 'vitest'
import { listActions } from '#operators/actions/action-log'
import { actionsOf, PNG, submit, useReviewer } from '#operators/review/testing/use-reviewer'

const reviewer = useReviewer()

it('each view of a document is logged', async () => {
  const { path, id, userId } = await submit(reviewer.fresh)
  await reviewer.signIn()
  expect(await (await reviewer.get('/')).text()).toContain(`href="${path}"`)
  expect(await (await reviewer.get(path)).text()).toContain(`<img src="${path}/content"`)
  expect(await actionsOf(reviewer.fresh, userId)).toEqual([])
  const content = await reviewer.get(`${path}/content`)
  expect(Buffer.from(await content.arrayBuffer())).toEqual(PNG)
  expect(content.headers.get('Content-Type')).toBe('image/png')
  expect(content.headers.get('Content-Security-Policy')).toContain('sandbox')
  expect(content.headers.get('Cache-Control')).toBe('no-store')
  expect(await listActions(reviewer.fresh.db, 9, userId)).toMatchObject([
    { action: 'kyc view', operator: reviewer.name, details: { document: id } },
  ])
})

it('a PDF is a link', async () => {
  const { path } = await submit(reviewer.fresh, 'application/pdf')
  await reviewer.signIn()
  expect(await (await reviewer.get(path)).text()).toContain(
    `<a href="${path}/content">Open the PDF</a>`,
  )
  const { headers } = await reviewer.get(`${path}/content`)
  expect(headers.get('Content-Type')).toBe('application/pdf')
  expect(headers.get('Content-Disposition')).toBe('inline')
})

it('an accepted document verifies the member, sends a mail and is logged', async () => {
  const { path, userId } = await submit(reviewer.fresh)
  await reviewer.signIn()
  expect((await reviewer.post(`${path}/accept`, { reason: 'the picture matches' })).status).toBe(
    303,
  )
  expect(await reviewer.fresh.db('users').where({ id: userId }).first('kycStatus')).toEqual({
    kycStatus: 'verified',
  })
  const { email } = await reviewer.fresh.db('users').where({ id: userId }).first('email')
  expect(await reviewer.fresh.db('mails').where({ recipient: email }).pluck('subject')).toEqual([
    'TESP Network: your identity is verified',
  ])
  expect(await actionsOf(reviewer.fresh, userId)).toEqual([['kyc accept', reviewer.name]])
  expect((await reviewer.post(`${path}/reject`, { reason: 'too late' })).status).toBe(404)
})

it('a document is rejected with a reason only', async () => {
  const { path, userId, id } = await submit(reviewer.fresh)
  await reviewer.signIn()
  for (const reason of ['', ' ', 'mail to zoe@test.example']) {
    const answer = await reviewer.post(`${path}/reject`, { reason })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('role="alert">The reason must')
  }
  expect(await actionsOf(reviewer.fresh, userId)).toEqual([])
  await reviewer.post(`${path}/reject`, { reason: 'The picture is blurred' })
  expect(await reviewer.fresh.db('kyc_documents').where({ id }).first()).toMatchObject({
    accepted: false,
    reason: 'The picture is blurred',
  })
  expect(await actionsOf(reviewer.fresh, userId)).toEqual([['kyc reject', reviewer.name]])
})

it.each(['/documents/999999', '/documents/x', '/documents/999999/content', '/documents/1e3'])(
  '%s is not found',
  async (path) => {
    await reviewer.signIn()
    expect((await reviewer.get(path)).status).toBe(404)
  },
)
