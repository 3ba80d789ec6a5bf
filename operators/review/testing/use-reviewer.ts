import { afterAll, beforeAll, beforeEach } from 'vitest'
import { submitDocument } from '#db/members/kyc'
import { codeOf } from '#db/members/one-time-code'
import { inTransaction } from '#db/postgres/statements/transaction'
import { hashPassword } from '#gateway/auth/passwords'
import { listActions } from '#operators/actions/action-log'
import { addReviewer } from '#operators/actions/reviewers'
import { startReview } from '#operators/review/server'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'

const SECRET = Buffer.from('12345678901234567890')
const PASSWORD = 'a password of a reviewer'

/** Content of every submitted document. */
export const PNG = Buffer.from('89504e470d0a1a0a00', 'hex')

/** A reviewer with a browser; each test begins with a new one, who is not signed in. */
export class Reviewer {
  name = ''
  cookie = ''

  constructor(
    readonly fresh: FreshDatabase,
    /** Origin of the pages of reviewers. */
    readonly origin: string,
  ) {}

  currentCode(): string {
    return codeOf(SECRET, Math.floor(Date.now() / 30_000))
  }

  async becomeNewReviewer(name: string, passwordHash: string): Promise<void> {
    const { db, dataKey } = this.fresh
    Object.assign(this, { name, cookie: '' })
    await inTransaction(db, (tx) =>
      addReviewer(tx, dataKey, { name, passwordHash, secret: SECRET }),
    )
  }

  get(path: string): Promise<Response> {
    return fetch(`${this.origin}${path}`, { redirect: 'manual', headers: { Cookie: this.cookie } })
  }

  /** Sends a form, by default one of the site itself. */
  post(path: string, fields: Record<string, string> = {}, origin = this.origin): Promise<Response> {
    return fetch(`${this.origin}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: this.cookie, Origin: origin },
      body: new URLSearchParams(fields),
    })
  }

  /** Sends the sign-in form; `typed` replaces fields. The cookie of the answer is not kept. */
  sendSignIn(typed: Record<string, string> = {}): Promise<Response> {
    const code = this.currentCode()
    return this.post('/sign-in', { name: this.name, password: PASSWORD, code, ...typed })
  }

  async signIn(): Promise<void> {
    const { headers } = await this.sendSignIn()
    this.cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
}

/** Starts the pages of reviewers before the tests of a file; the object is usable within them. */
export function useReviewer(): Reviewer {
  const reviewer: Reviewer = Object.create(Reviewer.prototype)
  let review: Awaited<ReturnType<typeof startReview>>
  let passwordHash: string
  let reviewers = 0

  beforeAll(async () => {
    const fresh = await freshDatabase()
    const config = testConfig(fresh)
    review = await startReview({ config, redisUrl: fresh.redisUrl, port: 0 })
    passwordHash = await hashPassword(PASSWORD, config)
    Object.assign(reviewer, new Reviewer(fresh, review.origin))
  })
  beforeEach(() => {
    reviewers += 1
    return reviewer.becomeNewReviewer(`reviewer-${reviewers}`, passwordHash)
  })
  afterAll(async () => {
    await review?.close()
    await reviewer.fresh?.close()
  })
  return reviewer
}

/** Submits a document of a new member. */
export async function submit(
  { db, dataKey }: FreshDatabase,
  mime: 'image/png' | 'application/pdf' = 'image/png',
) {
  const userId = await insertMember(db)
  const document = { documentType: 'passport', mime, bytes: PNG }
  await inTransaction(db, (tx) => submitDocument(tx, dataKey, userId, document))
  const { id } = await db('kyc_documents').where({ userId }).first('id')
  return { id, userId, path: `/documents/${id}` }
}

/** What operators and reviewers did to a member, and who, in the order of the log. */
export const actionsOf = async ({ db }: FreshDatabase, userId: number) =>
  (await listActions(db, 9, userId)).map(({ action, operator }) => [action, operator])
