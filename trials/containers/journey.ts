import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { MemberUpdate } from '#contract/events'
import { IDEMPOTENCY_HEADER } from '#contract/routes'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { advance } from '#scripts/testing/db/clock'
import type { ServedProduct } from '#scripts/testing/gateway/product'
import { type MemberSocket, PASSWORD, Visitor } from '#scripts/testing/gateway/visitor'
import { mailServer } from '#scripts/testing/workers/mail-server'
import { until } from '#trials/kit/until'

/** The text of the mail to this address; undefined if none has arrived. */
type Mailbox = (email: string) => Promise<string | undefined>

/** Listens on every interface: containers reach this machine at an address of their network. */
export async function openMailbox(port: number): Promise<Mailbox> {
  const server = await mailServer(port, '0.0.0.0')
  await server.start()
  const mailTo = (email: string) => server.mails.find((one) => one.includes(`To: ${email}`))
  // Without the headers.
  return async (email) => mailTo(email)?.replace(/^[\s\S]*?\r?\n\r?\n/, '')
}

type Found = { messages: { ID: string; To: { Address: string }[] }[] }

/** The mail catcher of the profile `mail`, read through the API of its pages (Mailpit). */
export function mailCatcher(port: number): Mailbox {
  async function get<T>(path: string): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    if (!response.ok) throw new Error(`the mail catcher answered ${response.status}`)
    return (await response.json()) as T
  }
  return async (email) => {
    const { messages } = await get<Found>('messages')
    const found = messages.find(({ To }) => To.some(({ Address }) => Address === email))
    return found && (await get<{ Text: string }>(`message/${found.ID}`)).Text
  }
}

const LIMIT_MS = 15_000

function pushed(socket: MemberSocket, fulfils: (update: MemberUpdate) => boolean) {
  let hasArrived = false
  socket.on('changed', (update) => {
    hasArrived ||= fulfils(update)
  })
  return until('a push has arrived', () => hasArrived, { limitMs: LIMIT_MS })
}

async function openPages(visitor: Visitor): Promise<void> {
  const page = await visitor.fetch('/', 0, { headers: { Accept: 'text/html' } })
  assert.equal(page.status, 200)
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? []
  const answer = await visitor.fetch(script)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('Cache-Control') ?? '', /immutable/)
  await answer.arrayBuffer()
}

async function register(visitor: Visitor, mailbox: Mailbox): Promise<string> {
  const username = `journey${process.pid}`
  const email = `${username}@test.example`
  const sent = await visitor.call('POST /api/verify/send-otp', { body: { email } })
  assert.equal(sent.status, 200)
  const code = async () => /\b\d{6}\b/.exec((await mailbox(email)) ?? '')?.[0]
  const otp = await until(`a code for ${email}`, code, { limitMs: LIMIT_MS })
  const verified = await visitor.call('POST /api/verify/verify-otp', { body: { email, otp } })
  assert.equal(verified.status, 200)
  const body = { username, email, password: PASSWORD }
  assert.equal((await visitor.call('POST /api/register', { body })).status, 200)
  return username
}

/** A member's way from the first page to a claim, over the proxy. */
export async function journey(product: ServedProduct, mailbox: Mailbox): Promise<string> {
  const { db } = product
  const visitor = new Visitor(product)
  await openPages(visitor)
  const username = await register(visitor, mailbox)
  const socket = await visitor.connected()
  const started = pushed(socket, ({ mining }) => mining?.active === true)
  assert.equal((await visitor.call('POST /api/mining/start')).status, 200)
  await started
  const credited = pushed(socket, ({ wallet }) => Number(wallet?.tesp[0]?.balance) > 0.033)
  await advance(db, INTERVAL_MS)
  await credited
  await advance(db, 5 * MINUTE_MS)
  assert.equal((await visitor.call('POST /api/mining/stop')).status, 200)
  const headers = { [IDEMPOTENCY_HEADER]: randomUUID() }
  assert.equal((await visitor.call('POST /api/mining/claim', { headers })).status, 200)
  const { tesp } = await visitor.balances()
  assert.ok(Number(tesp) > 0.0416, `the balance is ${tesp}`)
  visitor.disconnect()
  assert.equal((await visitor.call('POST /api/logout')).status, 200)
  assert.equal((await visitor.login(username)).status, 200)
  return `a page over TLS, a mailed code, a credit by push, ${tesp} TESP claimed, signed out and in again`
}
