import { expect, it } from 'vitest'
import { unsubscribeUrl } from '#db/reminders/mail-reminders'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'

const product = useProduct()
const member = useMember(product)

const isOn = async () => (await member.call('GET /api/reminders')).body.mail
const switchOn = () =>
  member.call('POST /api/reminders/mail', { body: { on: true, language: 'en' } })
const link = () => {
  const { pathname, search } = new URL(unsubscribeUrl(product.config, member.user?.id ?? 0))
  return `${pathname}${search}`
}
/** Opens a path without cookies. */
const open = (path: string, init: RequestInit = {}) => {
  const { headers, ...rest } = init
  return new Visitor(product).fetch(path, 0, {
    ...rest,
    headers: { Accept: 'text/html', ...headers },
  })
}

it('opening the link shows a question and changes nothing', async () => {
  await switchOn()
  const page = await open(link())
  expect(page.status).toBe(200)
  expect(page.headers.get('Content-Type')).toContain('text/html')
  expect(page.headers.get('Cache-Control')).toBe('no-store')
  expect(await page.text()).toContain('<form method="post"><button>Stop reminders</button></form>')
  expect(await isOn()).toBe(true)
})

it('the button switches the mails off without a sign-in', async () => {
  await switchOn()
  const page = await open(link(), { method: 'POST' })
  expect(await page.text()).toContain('Reminders by mail are off')
  expect(await isOn()).toBe(false)
})

it('a mail program switches off with one request (RFC 8058), also from another site', async () => {
  await switchOn()
  const answer = await open(link(), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: 'https://mail.example',
    },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(answer.status).toBe(200)
  expect(await isOn()).toBe(false)
})

it('a wrong token switches nothing off', async () => {
  await switchOn()
  const paths = [
    '/unsubscribe',
    `${link()}x`,
    link().replace(/token=\d+/, 'token=1'),
    `${link()}&token=2`,
  ]
  for (const path of paths) {
    const page = await open(path, { method: 'POST' })
    expect([path, page.status]).toEqual([path, 404])
  }
  expect(await isOn()).toBe(true)
})

it('the page is in the language of the browser', async () => {
  const page = await open(link(), { headers: { 'Accept-Language': 'vi-VN,vi;q=0.9,en;q=0.5' } })
  expect(await page.text()).toContain('<html lang="vi">')
})

it('the page is in the language that the link of the mail names', async () => {
  const page = await open(`${link()}&language=vi`, { headers: { 'Accept-Language': 'en' } })
  expect(await page.text()).toContain('<html lang="vi">')
})

it('the link of a deleted member changes nothing', async () => {
  const path = link()
  await product.db('users').where({ id: member.user?.id }).update({ authEpoch: 7 })
  await product.db('reminder_preferences').where({ userId: member.user?.id }).delete()
  expect((await open(path, { method: 'POST' })).status).toBe(200)
  expect(await product.db('reminder_preferences').where({ userId: member.user?.id })).toEqual([])
})
