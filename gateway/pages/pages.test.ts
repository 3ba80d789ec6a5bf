import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGE_COOKIE } from '#contract/cookies'
import {
  ACCOUNT_WITHOUT_CODE,
  CODE_MARK,
  EMAIL_MARK,
  EMPTY_WALLET,
  FIRST_SCREEN_ID,
  type FirstScreen,
  FULL_NAME_MARK,
  NAME_MARK,
} from '#contract/first-screen'
import { useMember, useProduct } from '#gateway/testing/use-product'
import { Visitor } from '#gateway/testing/visitor'
import { rawRequest } from '#gateway/testing/wire/raw-request'
import { LANGUAGES } from '#rules/members/languages'

const clientRoot = mkdtempSync(join(tmpdir(), 'tesp-pages-'))
const product = useProduct({ clientRoot })
const member = useMember(product)
const visitor = new Visitor(product)

const PAGE =
  '<!doctype html><html lang="en"><head><title>App</title></head><body><div id="root"></div></body>'
const manifest = {
  'index.html': { file: 'assets/index-1.js', isEntry: true },
  'screens/mine/mine-screen.tsx': { file: 'assets/mine-1.js' },
  'screens/auth/auth-screen.tsx': { file: 'assets/auth-1.js' },
  'language/en/mine.ts': { file: 'assets/mine-en.js' },
  'language/vi/mine.ts': { file: 'assets/mine-vi.js' },
}

const shells = {
  en: {
    '/mine': `<span>${NAME_MARK}</span><a aria-label="Menu of ${NAME_MARK}">Hello, ${NAME_MARK}!</a>`,
    '/wallet': 'unknown assets',
    [EMPTY_WALLET]: 'no assets',
    '/account': `<h1>${FULL_NAME_MARK}</h1><p>${EMAIL_MARK}</p><b>${CODE_MARK}</b>`,
    [ACCOUNT_WITHOUT_CODE]: `<h1>${FULL_NAME_MARK}</h1><p>${EMAIL_MARK}</p>`,
  },
  vi: { '/mine': `Xin chào, ${NAME_MARK}!` },
}

beforeAll(() => {
  mkdirSync(join(clientRoot, '.vite'))
  writeFileSync(join(clientRoot, 'index.html'), PAGE)
  for (const language of LANGUAGES) {
    for (const variant of ['', '.no-passkeys']) {
      const page = `<!doctype html><html lang="${language}"><title>Prerendered${variant}</title>`
      writeFileSync(join(clientRoot, `auth.${language}${variant}.html`), page)
    }
  }
  writeFileSync(join(clientRoot, '.vite/manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(clientRoot, '.vite/shells.json'), JSON.stringify(shells))
})
afterAll(() => rmSync(clientRoot, { recursive: true }))

const navigation = { Accept: 'text/html', 'Sec-Fetch-Dest': 'document' }
const open = (who: Visitor, path: string, headers: Record<string, string> = navigation) =>
  who.fetch(path, 0, { headers })

const DATA = new RegExp(`<script type="application/json" id="${FIRST_SCREEN_ID}">(.*?)</script>`)

function firstScreenIn(html: string): FirstScreen | undefined {
  const [, json] = DATA.exec(html) ?? []
  return json === undefined ? undefined : (JSON.parse(json) as FirstScreen)
}

describe('the page of a member', () => {
  it('the page holds what the reads of its first screen answer', async () => {
    const first = firstScreenIn(await (await open(member, '/mine')).text())
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
    ['/tasks', ['/api/tasks/completed']],
    ['/network', ['/api/network']],
  ])('the page %s holds the status, the wallet and %j', async (path, more) => {
    const first = firstScreenIn(await (await open(member, path)).text())
    expect(Object.keys(first?.answers ?? {})).toEqual([
      '/api/mining/status',
      '/api/wallet',
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
    expect(firstScreenIn(html)?.user.fullName).toBe(evil)
  })

  it('the page is compressed', async () => {
    for (const encoding of ['br', 'gzip']) {
      const answer = await open(member, '/mine', { ...navigation, 'Accept-Encoding': encoding })
      expect(answer.headers.get('Content-Encoding')).toBe(encoding)
      expect(await answer.text()).toContain(FIRST_SCREEN_ID)
    }
  })
})

describe('a page without data', () => {
  const isPlain = async (answer: Response) => {
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain(FIRST_SCREEN_ID)
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
    const html = await (await open(visitor, '/auth?ref=TESPABC234')).text()
    expect(html).toContain('<title>App</title>')
    expect(html).toContain('href="/assets/auth-1.js"')
  })

  it('a browser with a marker cookie gets the plain page', async () => {
    const headers = { ...navigation, Cookie: 'tesp-member=7' }
    expect(await title(await open(visitor, '/auth', headers))).toBe('App')
    expect(await title(await open(member, '/auth'))).toBe('App')
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
