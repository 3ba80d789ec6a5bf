import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { submitDocument } from '#db/members/kyc'
import { codeOf } from '#db/members/second-factor/one-time-code'
import { listActions } from '#db/operators/actions'
import { addReviewer, REVIEWER_TRIES, removeReviewer } from '#db/operators/reviewers/reviewers'
import { inTransaction } from '#db/postgres/statements/transaction'
import { testConfig } from '#db/testing/database'
import { type FreshDatabase, freshDatabase } from '#db/testing/fresh-database'
import { insertMember } from '#db/testing/members'
import { hashPassword } from '#gateway/auth/passwords/passwords'
import { startReview } from './server.ts'

const SECRET = Buffer.from('12345678901234567890')
const PASSWORD = 'a password of a reviewer'
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex')

let fresh: FreshDatabase
let review: Awaited<ReturnType<typeof startReview>>
let passwordHash: string
let name: string
let reviewers = 0
let cookie = ''

beforeAll(async () => {
  fresh = await freshDatabase()
  const { redisUrl } = fresh
  review = await startReview({ config: testConfig(fresh), redisUrl, port: 0 })
  passwordHash = await hashPassword(PASSWORD, testConfig(fresh))
})
afterAll(async () => {
  await review?.close()
  await fresh?.close()
})
beforeEach(async () => {
  reviewers += 1
  name = `reviewer-${reviewers}`
  cookie = ''
  const { db, dataKey } = fresh
  await inTransaction(db, (tx) => addReviewer(tx, dataKey, { name, passwordHash, secret: SECRET }))
})

const get = (path: string) =>
  fetch(`${review.origin}${path}`, { redirect: 'manual', headers: { Cookie: cookie } })

const post = (path: string, fields: Record<string, string> = {}, origin = review.origin) =>
  fetch(`${review.origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: cookie, Origin: origin },
    body: new URLSearchParams(fields),
  })

const currentCode = () => codeOf(SECRET, Math.floor(Date.now() / 30_000))
const signIn = (typed: Record<string, string> = {}) =>
  post('/sign-in', { name, password: PASSWORD, code: currentCode(), ...typed })

async function signedIn(): Promise<void> {
  cookie = (await signIn()).headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

async function submit(mime: 'image/png' | 'application/pdf' = 'image/png') {
  const { db, dataKey } = fresh
  const userId = await insertMember(db)
  const document = { documentType: 'passport', mime, bytes: PNG }
  await inTransaction(db, (tx) => submitDocument(tx, dataKey, userId, document))
  const { id } = await db('kyc_documents').where({ userId }).first('id')
  return { id, userId, path: `/documents/${id}` }
}
const actionsOf = async (userId: number) =>
  (await listActions(fresh.db, 9, userId)).map(({ action, operator }) => [action, operator])

describe('the sign-in of a reviewer', () => {
  it('name, password and one-time code sign a reviewer in, which is logged', async () => {
    const answer = await signIn()
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/'])
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^review=[\w-]{43}; path=\/; samesite=strict; httponly$/i,
    )
    expect(await listActions(fresh.db, 1)).toMatchObject([
      { action: 'review sign-in', operator: name, memberId: null },
    ])
  })

  it.each<Record<string, string>>([
    { password: 'another password' },
    { code: '000000x' },
    { code: '' },
    { name: 'nobody' },
    { name: '' },
  ])('a sign-in with %j is refused', async (typed) => {
    const answer = await signIn(typed)
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    expect(await answer.text()).toContain('Name, password or code is not right.')
  })

  it('a one-time code works once, even in parallel', async () => {
    const code = currentCode()
    const answers = await Promise.all([1, 2, 3, 4].map(() => signIn({ code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401])
  })

  it('after five wrong tries even the right password and code are refused for 15 minutes', async () => {
    const guesses = Array.from({ length: REVIEWER_TRIES }, (_, n) =>
      signIn({ password: `guess ${n}` }),
    )
    await Promise.all(guesses)
    expect((await signIn()).status).toBe(401)
    await fresh.db('reviewers').update({ triedAt: fresh.db.raw(`now() - interval '16 minutes'`) })
    expect((await signIn()).status).toBe(303)
  })

  it('a removed reviewer is signed out', async () => {
    await signedIn()
    expect((await get('/')).status).toBe(200)
    await inTransaction(fresh.db, (tx) => removeReviewer(tx, name))
    expect((await get('/')).headers.get('Location')).toBe('/sign-in')
  })

  it('a sign-out ends the sign-in', async () => {
    await signedIn()
    await post('/sign-out')
    expect((await get('/')).headers.get('Location')).toBe('/sign-in')
  })
})

describe('the pages of reviewers', () => {
  it('no page but the form opens without a sign-in', async () => {
    const { path, userId } = await submit()
    for (const one of ['/', path, `${path}/content`, '/anything']) {
      const answer = await get(one)
      expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/sign-in'])
    }
    for (const one of [`${path}/accept`, `${path}/reject`]) {
      expect((await post(one, { reason: 'x' })).headers.get('Location')).toBe('/sign-in')
    }
    expect(await actionsOf(userId)).toEqual([])
  })

  it('forms of other sites and requests for another host are refused', async () => {
    await signedIn()
    const { id, path } = await submit()
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1']) {
      expect((await post(`${path}/accept`, { reason: 'x' }, origin)).status).toBe(403)
    }
    const { accepted } = await fresh.db('kyc_documents').where({ id }).first('accepted')
    expect(accepted).toBeNull()
    const other = review.origin.replace('127.0.0.1', 'localhost')
    expect((await fetch(`${other}/sign-in`)).status).toBe(421)
  })

  it('every answer forbids scripts, frames and storing', async () => {
    await signedIn()
    for (const path of ['/', '/sign-in', '/style.css', '/nothing', '/documents/x']) {
      const { headers } = await get(path)
      expect(headers.get('Content-Security-Policy')).toMatch(
        /^default-src 'none'; .*ancestors 'none'/,
      )
      expect(headers.get('Content-Security-Policy')).not.toMatch(/script|unsafe/)
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    }
  })

  it('texts of members are escaped', async () => {
    const { userId, path } = await submit()
    const fullName = `<img src=x onerror="alert('1')">&`
    await fresh.db('users').where({ id: userId }).update({ fullName })
    await signedIn()
    const text = await (await get(path)).text()
    expect(text).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;')
    expect(text).not.toContain(fullName)
  })
})

describe('a document', () => {
  it('each view of a document is logged', async () => {
    const { path, id, userId } = await submit()
    await signedIn()
    expect(await (await get('/')).text()).toContain(`href="${path}"`)
    expect(await (await get(path)).text()).toContain(`<img src="${path}/content"`)
    expect(await actionsOf(userId)).toEqual([])
    const content = await get(`${path}/content`)
    expect(Buffer.from(await content.arrayBuffer())).toEqual(PNG)
    expect(content.headers.get('Content-Type')).toBe('image/png')
    expect(content.headers.get('Content-Security-Policy')).toContain('sandbox')
    expect(content.headers.get('Cache-Control')).toBe('no-store')
    expect(await listActions(fresh.db, 9, userId)).toMatchObject([
      { action: 'kyc view', operator: name, details: { document: id } },
    ])
  })

  it('a PDF is a link', async () => {
    const { path } = await submit('application/pdf')
    await signedIn()
    expect(await (await get(path)).text()).toContain(`<a href="${path}/content">Open the PDF</a>`)
    const { headers } = await get(`${path}/content`)
    expect(headers.get('Content-Type')).toBe('application/pdf')
    expect(headers.get('Content-Disposition')).toBe('inline')
  })

  it('an accepted document verifies the member, sends a mail and is logged', async () => {
    const { path, userId } = await submit()
    await signedIn()
    expect((await post(`${path}/accept`, { reason: 'the picture matches' })).status).toBe(303)
    expect(await fresh.db('users').where({ id: userId }).first('kycStatus')).toEqual({
      kycStatus: 'verified',
    })
    const { email } = await fresh.db('users').where({ id: userId }).first('email')
    expect(await fresh.db('mails').where({ recipient: email }).pluck('subject')).toEqual([
      'TESP Network: your identity is verified',
    ])
    expect(await actionsOf(userId)).toEqual([['kyc accept', name]])
    expect((await post(`${path}/reject`, { reason: 'too late' })).status).toBe(404)
  })

  it('a document is rejected with a reason only', async () => {
    const { path, userId, id } = await submit()
    await signedIn()
    for (const reason of ['', ' ', 'mail to zoe@test.example']) {
      const answer = await post(`${path}/reject`, { reason })
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('role="alert">The reason must')
    }
    expect(await actionsOf(userId)).toEqual([])
    await post(`${path}/reject`, { reason: 'The picture is blurred' })
    expect(await fresh.db('kyc_documents').where({ id }).first()).toMatchObject({
      accepted: false,
      reason: 'The picture is blurred',
    })
    expect(await actionsOf(userId)).toEqual([['kyc reject', name]])
  })

  it.each(['/documents/999999', '/documents/x', '/documents/999999/content', '/documents/1e3'])(
    '%s is not found',
    async (path) => {
      await signedIn()
      expect((await get(path)).status).toBe(404)
    },
  )
})

it('the page of reviewers listens beyond this machine only if a host is set', async () => {
  const config = testConfig(fresh)
  const ofContainer = await startReview({ config, redisUrl: undefined, port: 0, host: '0.0.0.0' })
  /** 127.0.0.2 reaches a server that listens on every address. */
  const elsewhere = (origin: string, path: string) =>
    fetch(`${origin.replace('127.0.0.1', '127.0.0.2')}${path}`).then(({ status }) => status)
  try {
    await expect(elsewhere(review.origin, '/readyz')).rejects.toThrow()
    expect(await elsewhere(ofContainer.origin, '/readyz')).toBe(200)
    expect(await elsewhere(ofContainer.origin, '/sign-in')).toBe(421)
  } finally {
    await ofContainer.close()
  }
})

it.each(['http://review.tesp.example', 'ftp://127.0.0.1', 'https://a.example/path', 'x'])(
  'the origin %s is refused',
  async (origin) => {
    const config = testConfig(fresh)
    await expect(startReview({ config, redisUrl: undefined, port: 0, origin })).rejects.toThrow(
      'REVIEW_ORIGIN',
    )
  },
)
