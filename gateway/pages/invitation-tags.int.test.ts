import { beforeAll, expect, it } from 'vitest'
import { navigation, open, useBuiltClient } from '#scripts/testing/gateway/pages/built-client'
import { useProduct } from '#scripts/testing/gateway/use-product'
import { newMember, Visitor } from '#scripts/testing/gateway/visitor'

const ORIGIN = 'https://tesp.example'
const product = useProduct({
  clientRoot: useBuiltClient(),
  env: { PUBLIC_ORIGIN: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' },
})

beforeAll(async () => {
  const owners = [
    { username: 'linh', referralCode: 'TESPLNH234' },
    { username: `"><script>alert('$&')</script><title>&`, referralCode: 'TESPEVL234' },
    { username: 'frozen', referralCode: 'TESPFRZ234', referralFrozenReason: 'bought members' },
  ]
  for (const owner of owners) {
    const { user } = await newMember(product)
    await product.db('users').where({ id: user?.id }).update(owner)
  }
})

/** Each from a different IP address, without cookies. */
let addresses = 0
const crawler = (headers: Record<string, string> = {}) =>
  new Visitor(product, 0, { 'X-Forwarded-For': `203.0.113.${++addresses}`, ...headers })
const page = async (query: string, who = crawler()) =>
  (await open(who, `/auth?${query}`, { Accept: '*/*' })).text()

/** The content of a meta element; undefined without it. */
const contentOf = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="(.*?)">`).exec(html)?.[1]

it('the page of a link says who invites, in the language of the visitor', async () => {
  const html = await page('ref=tesp-lnh234')
  expect(contentOf(html, 'og:title')).toBe('linh invites you')
  expect(contentOf(html, 'twitter:title')).toBe('linh invites you')
  expect(html).toContain('<title>linh invites you</title>')
  expect(contentOf(html, 'og:description')).toMatch(/^One tap starts a simulated 24-hour/)
  expect(contentOf(html, 'og:url')).toBe(`${ORIGIN}/auth?ref=TESPLNH234`)
  expect(contentOf(html, 'og:image')).toBe(`${ORIGIN}/share.png`)
  expect(contentOf(html, 'twitter:card')).toBe('summary_large_image')
  const vietnamese = await page('ref=TESPLNH234', crawler({ 'Accept-Language': 'vi' }))
  expect(contentOf(vietnamese, 'og:title')).toBe('linh mời bạn tham gia')
})

it('a hostile user name stays text', async () => {
  const html = await page('ref=TESPEVL234')
  const shown = `&quot;&gt;&lt;script&gt;alert('$&amp;')&lt;/script&gt;&lt;title&gt;&amp; invites you`
  expect(contentOf(html, 'og:title')).toBe(shown)
  expect(html).toContain(`<title>${shown}</title>`)
  expect(html).not.toContain('<script')
})

it.each([
  ['a frozen code', 'ref=TESPFRZ234'],
  ['an unknown code', 'ref=TESPZZZ234'],
  ['an incomplete code', 'ref=TESPLNH'],
  ['markup', 'ref=%22%3E%3Cscript%3E'],
])('the page of %s names nobody', async (_, query) => {
  const html = await page(query)
  expect(contentOf(html, 'og:title')).toBe('TESP Network')
  expect(contentOf(html, 'og:url')).toBeUndefined()
  expect(html).not.toMatch(/invites you|<script/)
})

it('each code gets its own answer, which no cache keeps', async () => {
  for (const [query, title] of [
    ['ref=TESPLNH234', 'linh invites you'],
    ['ref=TESPZZZ234', 'TESP Network'],
    ['ref=TESPLNH234&ref=TESPZZZ234', 'linh invites you'],
  ] as const) {
    const answer = await open(crawler(), `/auth?${query}`)
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
    expect(contentOf(await answer.text(), 'og:title')).toBe(title)
  }
  expect(await (await open(crawler(), '/auth')).text()).not.toContain('og:title')
})

it('HEAD is answered as GET without a body', async () => {
  const init = { method: 'HEAD', headers: navigation }
  const answer = await crawler().fetch('/auth?ref=TESPLNH234', 0, init)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Content-Type')).toMatch(/text\/html/)
  expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
  expect(await answer.text()).toBe('')
})

it('one IP address is told 60 names a minute, and gets the page without one beyond them', async () => {
  const who = crawler()
  const titles = []
  for (let count = 0; count < 61; count++)
    titles.push(contentOf(await page('ref=TESPLNH234', who), 'og:title'))
  expect(titles.filter((title) => title === 'linh invites you')).toHaveLength(60)
  expect(titles.at(-1)).toBe('TESP Network')
})
