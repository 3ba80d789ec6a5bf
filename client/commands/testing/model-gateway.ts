import { vi } from 'vitest'
import { anIdleStatus, aSession, aUser, NOW } from '#client/testing/fixtures.ts'
import { setMemberCookie } from '#client/testing/server.ts'
import { taskList } from '#client/testing/tasks.ts'
import type { User } from '#rules/members/account-snapshots'
import type { MiningStatus, ReferralInfo, Wallet } from '#rules/snapshots'

const LATENCY_MS = 20
const EMPTY_TEAM = {
  referralCode: null,
  frozenReason: null,
  teamSize: 0,
  miningBoost: 0,
  milestones: [],
  teamMembers: [],
}

type Answer = { status: number; body: unknown; headers?: Record<string, string> }

const ok = (body: unknown): Answer => ({ status: 200, body })
const refuse = (status: number, code: string): Answer => ({ status, body: { message: code, code } })

/** The gateway for one member, in memory: every route that the commands and their screens use. */
export class ModelGateway {
  /** `deaf`: requests are executed and their answers lost. */
  network: 'up' | 'down' | 'deaf' = 'up'
  isSignedIn = true
  /** Routes of the commands that took effect, in order. */
  readonly effects: string[] = []
  readonly requests: string[] = []
  private readonly keys = new Map<string, Answer | 'cancelled'>()
  private session = 0
  private asOf = NOW
  private readonly member = {
    active: false,
    pending: '1.00000000',
    balance: '0.00000000',
    tasks: [] as string[],
    referrer: null as string | null,
    payouts: 0,
    fullName: null as string | null,
    kycStatus: 'unverified' as User['kycStatus'],
  }

  /** What the member's screens show of this server. */
  view() {
    return { ...this.member }
  }

  /** Replaces the network of the page, and signs the member's browser in. */
  install(): void {
    setMemberCookie(7)
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => this.fetch(url, init))
    vi.stubGlobal('XMLHttpRequest', uploadsTo(this))
  }

  private async fetch(url: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers)
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const key = headers.get('Idempotency-Key')
    const { pathname } = new URL(url, 'http://localhost')
    const answer = await this.transmit(`${init.method ?? 'GET'} ${pathname}`, body, key)
    return new Response(JSON.stringify(answer.body), {
      status: answer.status,
      headers: { 'X-As-Of': String(++this.asOf), ...answer.headers },
    })
  }

  async transmit(route: string, body: unknown, key: string | null): Promise<Answer> {
    const { network } = this
    await new Promise((resolve) => setTimeout(resolve, LATENCY_MS))
    if (network === 'down') throw new TypeError('Failed to fetch')
    this.requests.push(route)
    const answer = this.answer(route, body as Record<string, string>, key)
    if (network === 'deaf') throw new TypeError('Failed to fetch')
    return answer
  }

  /** Executes a request at once, as another device of the member sends it. */
  answer(route: string, body: Record<string, string> = {}, key: string | null = null): Answer {
    if (!this.isSignedIn && route !== 'GET /api/app') return refuse(401, 'not_signed_in')
    if (route === 'POST /api/commands/cancel') return this.cancel(String(body.key))
    const known = key === null ? undefined : this.keys.get(key)
    if (known === 'cancelled') return refuse(409, 'command_cancelled')
    if (known) return known
    const answer = this.read(route) ?? this.execute(route, body)
    const isRejected = (answer.body as { success?: boolean }).success === false
    if (key !== null && answer.status === 200 && !isRejected) {
      this.keys.set(key, answer)
      this.effects.push(route)
    }
    return answer
  }

  private cancel(key: string): Answer {
    const known = this.keys.get(key)
    if (known && known !== 'cancelled') return ok({ cancelled: false, answer: known.body })
    this.keys.set(key, 'cancelled')
    return ok({ cancelled: true, answer: null })
  }

  private read(route: string): Answer | undefined {
    const { tasks, referrer, payouts, balance } = this.member
    this.asOf += 1
    if (route === 'GET /api/user') return ok(this.user())
    if (route === 'GET /api/app') return ok({ flags: ['kyc'], minimumVersion: null, taskLinks: {} })
    if (route === 'GET /api/mining/status') return ok(this.status())
    if (route === 'GET /api/wallet/activity') return ok([])
    if (route === 'GET /api/wallet') {
      const tesp = [{ id: 1, name: 'TESP', balance }]
      return ok({ tesp, usdtBalance: '0.00000000', asOf: this.asOf } satisfies Wallet)
    }
    if (route === 'GET /api/tasks') return ok(taskList())
    if (route === 'GET /api/tasks/completed') {
      const completedAt = new Date(NOW).toISOString()
      return ok({ completedTasks: tasks.map((taskId) => ({ taskId, completedAt })) })
    }
    if (route !== 'GET /api/referral/info') return undefined
    const usdtRewards = Array.from({ length: payouts }, (_, id) => ({
      id,
      reason: 'Milestone',
      amount: 5,
      createdAt: new Date(NOW).toISOString(),
    }))
    return ok({
      ...EMPTY_TEAM,
      referrer: referrer === null ? null : { username: referrer },
      usdtRewards,
      asOf: this.asOf,
    } satisfies ReferralInfo)
  }

  private user(): User {
    const { fullName, kycStatus } = this.member
    return aUser({
      fullName,
      kycStatus,
      kycDocumentType: kycStatus === 'pending' ? 'passport' : null,
    })
  }

  private status(): MiningStatus {
    const { active, pending } = this.member
    const has = Number(pending) > 0
    return anIdleStatus({
      active,
      session: active ? aSession({ id: this.session }) : null,
      pendingRewards: pending,
      hasPendingRewards: has,
      canClaim: has,
      asOf: this.asOf,
    })
  }

  private execute(route: string, body: Record<string, string>): Answer {
    const { member } = this
    switch (route) {
      case 'POST /api/mining/start':
        if (member.active) return refuse(409, 'mining_active')
        member.active = true
        this.session += 1
        return ok(this.status())
      case 'POST /api/mining/stop':
        if (!member.active) return refuse(409, 'mining_inactive')
        member.active = false
        return ok(this.status())
      case 'POST /api/mining/claim': {
        const claimed = member.pending
        if (Number(claimed) === 0) return refuse(400, 'nothing_to_claim')
        Object.assign(member, { balance: claimed, pending: '0.00000000' })
        return ok({ claimedTesp: claimed, claimedUsdt: '0.00000000' })
      }
      case 'POST /api/tasks/complete':
        if (member.tasks.includes(String(body.taskId))) return refuse(409, 'task_claimed')
        member.tasks.push(String(body.taskId))
        return ok({ success: true, message: '', reward: { amount: 1, type: 'TESP' } })
      case 'POST /api/referral/apply-code':
        // A rejected code is answered 200, without an effect.
        if (member.referrer) return ok({ success: false, message: 'You have a referrer' })
        member.referrer = String(body.referralCode)
        return ok({ success: true, message: 'Referral code applied successfully' })
      case 'GET /api/referral/check-milestones':
        member.payouts = 1
        return ok({ success: true, usdtRewarded: 0.45, newMilestones: [] })
      case 'PATCH /api/user/profile':
        member.fullName = String(body.fullName)
        return ok(this.user())
      case 'POST /api/user/kyc':
        if (member.kycStatus !== 'unverified') return refuse(409, 'kyc_not_open')
        member.kycStatus = 'pending'
        return ok({ success: true, message: '', kycStatus: 'pending' })
      default:
        return refuse(404, 'not_found')
    }
  }
}

/** An `XMLHttpRequest` class that sends to the gateway. */
function uploadsTo(gateway: ModelGateway) {
  return class {
    upload = {}
    onload?: () => void
    onerror?: () => void
    status = 0
    statusText = ''
    responseText = ''
    private route = ''
    private key: string | null = null

    open(method: string, path: string) {
      this.route = `${method} ${path}`
    }

    setRequestHeader(name: string, value: string) {
      if (name === 'Idempotency-Key') this.key = value
    }

    getResponseHeader() {
      return null
    }

    send() {
      gateway.transmit(this.route, {}, this.key).then(
        ({ status, body }) => {
          this.status = status
          this.responseText = JSON.stringify(body)
          this.onload?.()
        },
        () => this.onerror?.(),
      )
    }
  }
}
