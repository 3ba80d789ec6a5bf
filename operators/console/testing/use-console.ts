import { afterAll, beforeAll, beforeEach } from 'vitest'
import { submitDocument } from '#db/members/kyc'
import { inTransaction } from '#db/postgres/statements/transaction'
import { hashPassword } from '#gateway/auth/passwords'
import { listActions } from '#operators/actions/action-log'
import {
  acceptInvitation,
  inviteOperator,
  operatorNamed,
  type Role,
  secretOf,
} from '#operators/actions/operators'
import { startConsole } from '#operators/console/server'
import { testConfig } from '#scripts/testing/db/database'
import { type FreshDatabase, freshDatabase } from '#scripts/testing/db/fresh-database'
import { insertMember } from '#scripts/testing/db/members'
import { codeOf } from '#scripts/testing/gateway/factors/authenticator-app'
import { CookieJar } from '#scripts/testing/gateway/visitor'

/** Password of every operator of tests. */
export const PASSWORD = 'a password of an operator'

/** Content of every submitted document. */
export const PNG = Buffer.from('89504e470d0a1a0a00', 'hex')

let addresses = 0

type Fields = Record<string, string>

const SIGNS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text = '') =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => SIGNS[name] ?? '')

const INPUT = /<input [^>]*?name="([^"]*)"[^>]*? value="([^"]*)"/g
const TEXTAREA = /<textarea name="([^"]*)"[^>]*>([^<]*)</g
const CHOICE = /<select name="([^"]*)"[^>]*>(?:<option>[^<]*<\/option>)*<option selected>([^<]*)/g

/** The filled fields of the form in a page, which a browser sends. */
export const fieldsIn = (page: string): Fields =>
  Object.fromEntries(
    [INPUT, TEXTAREA, CHOICE].flatMap((pattern) =>
      [...page.matchAll(pattern)].map(([, name = '', value]) => [name, unescaped(value)]),
    ),
  )

/** The value of a hidden field in a page. */
export const hidden = (page: string, name: string): string => fieldsIn(page)[name] ?? ''

/** An operator with a browser; each test begins with a new one, who is not signed in. */
export class ConsoleBrowser {
  name = ''
  /** Where its requests come from: the tests are the proxy. */
  ip = ''
  jar = new CookieJar()

  constructor(
    readonly fresh: FreshDatabase,
    readonly origin: string,
    private readonly passwordHash: string,
  ) {}

  /** Another operator in another browser. */
  async another(role: Role): Promise<ConsoleBrowser> {
    const browser = new ConsoleBrowser(this.fresh, this.origin, this.passwordHash)
    await browser.become(role)
    return browser
  }

  async become(role: Role, name = `${role}-${crypto.randomUUID().slice(0, 8)}`): Promise<void> {
    const { db, dataKey } = this.fresh
    this.name = name
    addresses += 1
    this.ip = `203.0.${addresses >> 8}.${addresses & 255}`
    this.jar = new CookieJar()
    await inTransaction(db, async (tx) => {
      const token = await inviteOperator(tx, dataKey, { name, role })
      await acceptInvitation(tx, token, this.passwordHash)
    })
  }

  async id(): Promise<number> {
    return (await this.fresh.db('operators').where({ name: this.name }).first('id')).id
  }

  async currentCode(): Promise<string> {
    const operator = await operatorNamed(this.fresh.db, this.name)
    if (!operator) return '000000'
    return codeOf(secretOf(this.fresh.dataKey, operator), Math.floor(Date.now() / 30_000))
  }

  private get headers() {
    return { Cookie: this.jar.header() ?? '', 'X-Forwarded-For': this.ip }
  }

  /** Keeps the cookies of an answer. */
  keep(answer: Response): Response {
    this.jar.take(answer.headers)
    return answer
  }

  get(path: string): Promise<Response> {
    return fetch(`${this.origin}${path}`, { redirect: 'manual', headers: this.headers })
  }

  async text(path: string): Promise<string> {
    return (await this.get(path)).text()
  }

  /** Sends a form, by default one of the console itself. */
  post(path: string, fields: Fields = {}, origin = this.origin): Promise<Response> {
    return fetch(`${this.origin}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...this.headers, Origin: origin },
      body: new URLSearchParams(fields),
    })
  }

  /** Sends the sign-in form; `typed` replaces fields. The cookies of the answer are not kept. */
  async sendSignIn(typed: Fields = {}): Promise<Response> {
    const code = typed.code ?? (await this.currentCode())
    return this.post('/sign-in', { name: this.name, password: PASSWORD, ...typed, code })
  }

  async signIn(): Promise<this> {
    this.keep(await this.sendSignIn())
    return this
  }

  /** Sends the form of an action; the answer asks, or says what is wrong. */
  ask(name: string, fields: Fields): Promise<Response> {
    return this.post(`/actions/${name.split(' ').join('/')}`, fields)
  }

  /** Sends the form of an action and confirms the question, if it asks one. */
  async act(name: string, fields: Fields): Promise<Response> {
    const answer = await this.ask(name, fields)
    const page = await answer.clone().text()
    return hidden(page, 'key') ? this.ask(name, fieldsIn(page)) : answer
  }
}

/** Starts the console before the tests of a file; the object is usable within them. */
export function useConsole(role: Role = 'owner'): ConsoleBrowser {
  const browser: ConsoleBrowser = Object.create(ConsoleBrowser.prototype)
  let running: Awaited<ReturnType<typeof startConsole>>

  beforeAll(async () => {
    const fresh = await freshDatabase()
    const config = { ...testConfig(fresh), trustedProxies: ['127.0.0.1'], consolePort: 0 }
    running = await startConsole(config)
    const passwordHash = await hashPassword(PASSWORD, config)
    Object.assign(browser, new ConsoleBrowser(fresh, running.origin, passwordHash))
  })
  beforeEach(() => browser.become(role))
  afterAll(async () => {
    await running?.close()
    await browser.fresh?.close()
  })
  return browser
}

/** Submits a document of a new member. */
export async function submit(
  { db, dataKey }: FreshDatabase,
  mime: 'image/png' | 'application/pdf' = 'image/png',
  bytes: Buffer = PNG,
) {
  const userId = await insertMember(db)
  const document = { documentType: 'passport', mime, bytes }
  await inTransaction(db, (tx) => submitDocument(tx, dataKey, userId, document))
  const { id } = await db('kyc_documents').where({ userId }).first('id')
  return { id, userId, path: `/identity/${id}` }
}

/** What operators did to a member, and who, in the order of the log. */
export const actionsOf = async ({ db }: FreshDatabase, memberId: number) =>
  (await listActions(db, 9, { memberId })).map(({ action, operator }) => [action, operator])
