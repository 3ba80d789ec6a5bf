import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { LANGUAGE_COOKIE } from '#contract/headers'
import { INITIAL_DATA_ID, type InitialData } from '#contract/initial-data'
import { appendSeal, signSeals } from '#db/ledger/seals/seal-chain'
import { aKey, published } from '#db/ledger/seals/testing/make-proof'
import { inTransaction } from '#db/postgres/statements/transaction'
import { navigation, open, useBuiltClient } from '#scripts/testing/gateway/pages/built-client'
import { useMember, useProduct } from '#scripts/testing/gateway/use-product'
import { Visitor } from '#scripts/testing/gateway/visitor'
import { rawRequest } from '#scripts/testing/gateway/wire/raw-request'

const product = useProduct({ clientRoot: useBuiltClient() })
const member = useMember(product)
const visitor = new Visitor(product)

const DATA = new RegExp(`<script type="application/json" id="${INITIAL_DATA_ID}">(.*?)</script>`)

function initialDataIn(html: string): InitialData | undefined {
  const [, json] = DATA.exec(html) ?? []
  return json === undefined ? undefined : (JSON.parse(json) as InitialData)
}

it('the preview of a link names the address that was opened if the product has no public origin', async () => {
  // A navigation has no header `Origin`, which a `Visitor` sends.
  const answer = await fetch(`${product.urls[0]}/auth?ref=TESPZZZ234`, { headers: navigation })
  const html = await answer.text()
  expect(html).toMatch(/<meta property="og:image" content="http:\/\/[\w.]+:\d+\/share\.png">/)
})

describe('the page of a member', () => {
  it('the page holds what the reads of its first screen answer', async () => {
    const first = initialDataIn(await (await open(member, '/mine')).text())
    const user = await member.call('GET /api/user')
    const wallet = await member.call('GET /api/wallet')
    const team = await member.call('GET /api/referral/info')
    expect(first?.user).toEqual(user.body)
    expect(first?.answers['/api/wallet']).toEqual({ ...wallet.body, asOf: expect.any(Number) })
    expect(first?.answers['/api/mining/status']?.active).toBe(false)
    expect(first?.answers['/api/referral/info']).toEqual({ ...team.body, asOf: expect.any(Number) })
  })

  it.each([
    ['/wallet', []],
    ['/team', ['/api/referral/info']],
    ['/tasks', ['/api/tasks', '/api/tasks/completed']],
    ['/network', ['/api/network']],
  ])('the page %s holds the status, the wallet and %j', async (path, more) => {
    const first = initialDataIn(await (await open(member, path)).text())
    expect(Object.keys(first?.answers ?? {})).toEqual([
      '/api/mining/status',
      '/api/wallet',
      '/api/inbox/state',
      ...more,
    ])
  })

  it('the page shows its shell with the name of the member, escaped', async () => {
    const name = '<b>&"$&'
    await product.db('users').where({ id: member.user?.id }).update({ username: name })
    const html = await (await open(member, '/mine')).text()
    const shown = '&lt;b&gt;&amp;&quot;$&amp;'
    expect(html).toContain(
      `<div id="root"><span>&lt;</span><a aria-label="Menu of ${shown}">Hello, ${shown}!</a></div>`,
    )
  })

  it('the shell of the account shows the full name and the e-mail address, escaped', async () => {
    const rows = product.db('users').where({ id: member.user?.id })
    await rows.clone().update({ fullName: 'Ada <3' })
    const shown = async () => (await open(member, '/account')).text()
    expect(await shown()).toContain(`<h1>Ada &lt;3</h1><p>${member.user?.email}</p>`)
    await rows.clone().update({ fullName: null })
    expect(await shown()).toContain(`<h1>${member.user?.username}</h1>`)
    expect(await shown()).not.toContain('<b>')
    await rows.clone().update({ referralCode: 'TESPABC234' })
    expect(await shown()).toContain('<b>TESPABC234</b>')
  })

  it('a wallet without assets is shown at once, one with assets after its data', async () => {
    const shown = async () => (await open(member, '/wallet')).text()
    expect(await shown()).toContain('no assets')
    const wallet = product.db('wallets').where({ userId: member.user?.id })
    await wallet.clone().update({ usdtBalance: '0.00000001' })
    expect(await shown()).toContain('unknown assets')
    await wallet.clone().update({ usdtBalance: '0' })
  })

  it('the page and that for verifying hold the public keys of the seals', async () => {
    const keysOf = async (who: Visitor, path: string) => {
      const html = await (await open(who, path)).text()
      const [, content] = /<meta name="seal-keys" content="(.*?)">/.exec(html) ?? []
      return content && JSON.parse(content.replaceAll('&quot;', '"'))
    }
    const content = { root: Buffer.alloc(32), salt: Buffer.alloc(32), leavesId: randomUUID() }
    await inTransaction(product.db, (tx) =>
      appendSeal(tx, { day: '2026-11-21', reason: 'day', rows: 0, members: 0, ...content }),
    )
    const key = aKey()
    await signSeals(product.db, key)
    const { publicKey } = published(key)
    // Gateways keep the list for seconds.
    await expect
      .poll(() => keysOf(member, '/wallet'))
      .toMatchObject([{ publicKey, from: 1, to: null }])
    expect(await keysOf(visitor, '/verify')).toMatchObject([{ publicKey }])
    expect(await keysOf(visitor, '/reset-password')).toBeUndefined()
  })

  it('the page is stored nowhere', async () => {
    const { headers } = await open(member, '/mine')
    expect(headers.get('Cache-Control')).toBe('private, no-store')
    expect(headers.get('Vary')).toMatch(/Cookie/)
  })

  it('the page names the chunk of its screen, which is loaded after the paint of the shell', async () => {
    const html = await (await open(member, '/mine/')).text()
    expect(html).toContain('<link data-after-paint crossorigin href="/assets/mine-1.js">')
    expect(html).toContain('href="/assets/mine-en.js"></head>')
  })

  it('markup in the data of a member cannot end the script element', async () => {
    const evil = "</script><script>alert('x')</script><!--"
    await product.db('users').where({ id: member.user?.id }).update({ fullName: evil })
    const html = await (await open(member, '/mine')).text()
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toContain('<!--')
    expect(initialDataIn(html)?.user.fullName).toBe(evil)
  })

  it('the page is compressed', async () => {
    for (const encoding of ['br', 'gzip']) {
      const answer = await open(member, '/mine', { ...navigation, 'Accept-Encoding': encoding })
      expect(answer.headers.get('Content-Encoding')).toBe(encoding)
      expect(await answer.text()).toContain(INITIAL_DATA_ID)
    }
  })
})

describe('a page without data', () => {
  const isPlain = async (answer: Response) => {
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain(INITIAL_DATA_ID)
    expect(answer.headers.get('Cache-Control')).toBe('no-cache')
  }

  it('a visitor gets no data', async () => isPlain(await open(visitor, '/mine')))

  it('a forged session cookie gets no data', async () => {
    const forged = new Visitor(product)
    const cookie = (member.jar.header() ?? '').replace(/(\.sig=).{4}/, '$1AAAA')
    await isPlain(await open(forged, '/mine', { ...navigation, Cookie: cookie }))
  })

  it('a request by a script, such as a service worker, gets no data', async () => {
    await isPlain(await open(member, '/', { Accept: '*/*', 'Sec-Fetch-Dest': 'empty' }))
  })

  it('a sign-in that was ended on another device gets no data', async () => {
    const device = await member.otherDevice()
    const { body } = await device.call('GET /api/user')
    await product.db('users').where({ id: body.id }).increment('authEpoch', 1)
    await isPlain(await open(device, '/mine'))
    await product.db('users').where({ id: body.id }).decrement('authEpoch', 1)
  })

  it('a signed-out browser gets no data', async () => {
    const device = await member.otherDevice()
    const before = device.jar.copy()
    await device.call('POST /api/logout')
    device.jar = before
    await isPlain(await open(device, '/mine'))
  })
})

describe('the language of a page', () => {
  const shown = async (who: Visitor, path: string, headers: Record<string, string> = {}) => {
    const answer = await open(who, path, { ...navigation, ...headers })
    expect(answer.headers.get('Vary')).toMatch(/Accept-Language/)
    const html = await answer.text()
    return { language: /<html lang="(.*?)"/.exec(html)?.[1], html }
  }
  const vietnamese = { 'Accept-Language': 'vi-VN,vi;q=0.9,en;q=0.8' }
  const chosen = (language: string) => `${LANGUAGE_COOKIE}=${language}`

  it.each([
    ['no preference', {}, 'en'],
    ['the preference Vietnamese', vietnamese, 'vi'],
    ['only unknown preferences', { 'Accept-Language': 'fr,de;q=0.5' }, 'en'],
    ['a choice', { Cookie: chosen('vi') }, 'vi'],
    ['a choice that differs from the preference', { ...vietnamese, Cookie: chosen('en') }, 'en'],
    ['an unknown choice', { ...vietnamese, Cookie: chosen('"><script>') }, 'vi'],
  ])('a visitor with %s gets it', async (_, headers, language) => {
    expect((await shown(visitor, '/auth', headers)).language).toBe(language)
    expect((await shown(visitor, '/reset-password', headers)).language).toBe(language)
  })

  it('a member gets the shell and the texts of their language on a device without a choice', async () => {
    await product.db('users').where({ id: member.user?.id }).update({ language: 'vi' })
    const page = await shown(member, '/mine', { 'Accept-Language': 'en' })
    expect(page.language).toBe('vi')
    expect(page.html).toContain('Xin chào, ')
    expect(page.html).toContain('/assets/mine-vi.js')
    expect(page.html).not.toContain('/assets/mine-en.js')
    const device = `${member.jar.header()}; ${chosen('en')}`
    expect((await shown(member, '/mine', { Cookie: device })).html).toContain('Hello, ')
  })
})

describe('the sign-in page', () => {
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
    const html = await (await open(visitor, '/auth?ref=TESPZZZ999')).text()
    expect(html).toContain('<title>TESP Network</title>')
    expect(html).toContain('href="/assets/auth-1.js"')
  })

  it('a browser with a marker cookie gets the plain page', async () => {
    const headers = { ...navigation, Cookie: 'tesp-member=7' }
    expect(await title(await open(visitor, '/auth', headers))).toBe('App')
    expect(await title(await open(member, '/auth'))).toBe('App')
  })
})
