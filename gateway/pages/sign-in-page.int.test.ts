import { expect, it } from 'vitest'
import { navigation, open, useBuiltClient } from '#scripts/testing/gateway/pages/built-client'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'
import { rawRequest } from '#scripts/testing/gateway/wire/raw-request'

const product = useProduct({ clientRoot: useBuiltClient() })
const member = useMember(product)
const visitor = new Visitor(product)

const title = async (answer: Response) => /<title>(.*)<\/title>/.exec(await answer.text())?.[1]

it.each([
  ['localhost', 'Prerendered'],
  ['127.0.0.1', 'Prerendered.no-passkeys'],
  ['[::1]', 'Prerendered.no-passkeys'],
])('a visitor of %s gets the page "%s"', async (host, expected) => {
  // `fetch` sends the host of its URL.
  const lines = ['GET /auth HTTP/1.1', `Host: ${host}`, 'Accept: text/html', 'Connection: close']
  const answer = await rawRequest(product.urls[0] ?? '', `${lines.join('\r\n')}\r\n\r\n`)
  expect(answer).toContain('Cache-Control: no-cache')
  expect(answer).toContain(`<title>${expected}</title>`)
})

it('a referral link is rendered by the browser, because it opens the other tab', async () => {
  const html = await (await open(visitor, '/auth?ref=TESPABC234')).text()
  expect(html).toContain('<title>TESP Network</title>')
  expect(html).toContain('href="/assets/auth-1.js"')
})

it('a browser with a marker cookie gets the plain page', async () => {
  const headers = { ...navigation, Cookie: 'tesp-member=7' }
  expect(await title(await open(visitor, '/auth', headers))).toBe('App')
  expect(await title(await open(member, '/auth'))).toBe('App')
})
