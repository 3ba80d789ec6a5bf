import { randomBytes } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'
import { type ServerEvents, SOCKET_PATH } from '#contract/events'
import type { Answers, ErrorAnswer, RouteName } from '#contract/routes'
import type { User } from '#rules/members/account-snapshots'
import { mailsTo } from '#scripts/testing/gateway/mails-to'
import type { ServedProduct } from '#scripts/testing/gateway/product'
import { solvedProof } from '#scripts/testing/gateway/solved-proof'

export const PASSWORD = 'Correct horse 1'

export type CallOptions = {
  body?: unknown
  params?: Record<string, string>
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Index of the gateway; by default the visitor's own. */
  gateway?: number
}
/** The response of a route: its answer or its error. */
export type Answered<R extends RouteName> = {
  status: number
  body: Answers[R] & Partial<ErrorAnswer>
  headers: Headers
}
export type MemberSocket = Socket<ServerEvents, Record<string, never>>
type Identity = { username: string; email: string; password: string; referralCode?: string }

/** The cookies of one client: names, values and expiry, which is all that the product sets. */
export class CookieJar {
  private readonly cookies = new Map<string, string>()

  /** Applies the `Set-Cookie` headers of a response; an expired cookie is removed. */
  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const name = pair.slice(0, pair.indexOf('='))
      const expires = attributes.find((attribute) => /^expires=/i.test(attribute))
      const isExpired = expires !== undefined && Date.parse(expires.slice(8)) <= Date.now()
      if (isExpired) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(pair.indexOf('=') + 1))
    }
  }

  /** The `Cookie` header; `undefined` without cookies. */
  header(): string | undefined {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`)
    return pairs.length > 0 ? pairs.join('; ') : undefined
  }

  set(name: string, value: string): void {
    this.cookies.set(name, value)
  }

  delete(name: string): void {
    this.cookies.delete(name)
  }

  get(name: string): string | undefined {
    return this.cookies.get(name)
  }

  /** A jar with the same cookies, as an attacker who copied them would have. */
  copy(): CookieJar {
    const jar = new CookieJar()
    for (const [name, value] of this.cookies) jar.cookies.set(name, value)
    return jar
  }
}

/** A client with its own cookies that sends its requests to one gateway of the product. */
export class Visitor {
  jar = new CookieJar()
  user: User | undefined
  private readonly sockets: MemberSocket[] = []

  constructor(
    readonly product: ServedProduct,
    readonly gateway = 0,
    readonly headers: Record<string, string> = {},
  ) {}

  /** Calls a route as a page of the product would. */
  async call<R extends RouteName>(route: R, options: CallOptions = {}): Promise<Answered<R>> {
    const { body, params = {}, query, headers, gateway = this.gateway } = options
    const [method = '', pattern = ''] = route.split(' ')
    const path = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))
    const search = query ? `?${new URLSearchParams(query)}` : ''
    const isText = typeof body === 'string' || body instanceof Uint8Array
    const response = await this.fetch(`${path}${search}`, gateway, {
      method,
      headers:
        body === undefined ? { ...headers } : { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
    const isCsv = response.headers.get('Content-Type')?.startsWith('text/csv')
    return {
      status: response.status,
      body: (await (isCsv ? response.text() : response.json())) as Answered<R>['body'],
      headers: response.headers,
    }
  }

  /** Sends any request with this client's cookies and origin. */
  async fetch(path: string, gateway = this.gateway, init: RequestInit = {}): Promise<Response> {
    const url = this.product.urls[gateway] ?? ''
    const cookie = this.jar.header()
    const own = { Origin: url, ...(cookie && { Cookie: cookie }), ...this.headers }
    const headers = { ...own, ...(init.headers as Record<string, string>) }
    const response = await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers })
    this.jar.take(response.headers)
    return response
  }

  /** The newest code that was mailed to this e-mail. */
  async codeOf(email: string): Promise<string> {
    const [mail] = await mailsTo(this.product, email)
    const code = /\d{6}/.exec(mail?.text ?? '')?.[0]
    if (!code) throw new Error(`no code was mailed to ${email}`)
    return code
  }

  /** Verifies an e-mail with the code that was mailed to it. */
  async verify(email: string): Promise<void> {
    const first = await this.call('POST /api/verify/send-otp', { body: { email } })
    const { challenge } = first.body
    if (!challenge) await this.expectOk(first)
    else {
      const body = { email, proof: await solvedProof(challenge) }
      await this.expectOk(await this.call('POST /api/verify/send-otp', { body }))
    }
    const otp = await this.codeOf(email)
    await this.expectOk(await this.call('POST /api/verify/verify-otp', { body: { email, otp } }))
  }

  /** Verifies an e-mail and registers; name and e-mail are random unless given. */
  async register(wanted: Partial<Identity> = {}): Promise<User> {
    const username = wanted.username ?? `m${randomBytes(6).toString('hex')}`
    const email = wanted.email ?? `${username}@test.example`
    await this.verify(email)
    const body = { username, email, password: PASSWORD, ...wanted }
    const answer = await this.call('POST /api/register', { body })
    await this.expectOk(answer)
    this.user = answer.body
    return answer.body
  }

  /** Registers a new random member with empty cookies. */
  async becomeNewMember(): Promise<void> {
    this.jar = new CookieJar()
    await this.register()
  }

  async login(identifier = this.user?.username ?? '', password = PASSWORD) {
    return this.call('POST /api/login', { body: { identifier, password } })
  }

  /** The member's referral code, generated at the first call. */
  async referralCode(): Promise<string> {
    return (await this.call('POST /api/referral/generate-code')).body.referralCode
  }

  /** The member's balances as exact decimals. */
  async balances(): Promise<{ tesp: string | undefined; usdt: string }> {
    const { body } = await this.call('GET /api/wallet')
    return { tesp: body.tesp[0]?.balance, usdt: body.usdtBalance }
  }

  /** Signs in the same member on another device. */
  async otherDevice(gateway = this.gateway): Promise<Visitor> {
    const device = new Visitor(this.product, gateway, this.headers)
    device.user = this.user
    await this.expectOk(await device.login())
    return device
  }

  /** A Socket.IO client with this client's cookies that is still connecting. */
  socket(gateway = this.gateway, headers: Record<string, string> = {}): MemberSocket {
    const url = this.product.urls[gateway] ?? ''
    const cookie = this.jar.header()
    const socket: MemberSocket = io(url, {
      path: SOCKET_PATH,
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      extraHeaders: { Origin: url, ...(cookie && { Cookie: cookie }), ...headers },
    })
    this.sockets.push(socket)
    return socket
  }

  /** A connected Socket.IO client; rejects with the gateway's `connect_error`. */
  async connected(gateway = this.gateway): Promise<MemberSocket> {
    const socket = this.socket(gateway)
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('connect_error', reject)
    })
    return socket
  }

  /** Closes every socket that this client opened. */
  disconnect(): void {
    for (const socket of this.sockets) socket.disconnect()
  }

  private async expectOk(answer: { status: number; body: unknown }): Promise<void> {
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  }
}

/** A newly registered member. */
export async function newMember(product: ServedProduct, gateway = 0): Promise<Visitor> {
  const visitor = new Visitor(product, gateway)
  await visitor.register()
  return visitor
}
