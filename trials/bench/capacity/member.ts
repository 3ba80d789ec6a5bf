import { IDEMPOTENCY_HEADER } from '#contract/routes'
import { MINUTE_MS, REFERRAL_POLL_MS, STATUS_POLL_MS } from '#rules/constants'
import type { MiningStatus } from '#rules/snapshots'
import type { HttpPool, PoolAnswer } from './http-pool.ts'
import { openLiveSocket } from './live-socket.ts'
import type { MemberFigures, Target } from './protocol.ts'
import type { Timetable } from './timetable.ts'

/** As in client/live/polling.ts. */
const POLL_JITTER = 0.1
/** As in client/data/app-info.ts. */
const APP_INFO_MS = 30 * MINUTE_MS
/** Pause between two commands of one member, alternately a stop and a start. */
const COMMAND_MS = 30 * MINUTE_MS

const STATUS = '/api/mining/status'
const TEAM = '/api/referral/info'
/** What the mining screen shows. */
const SCREEN = [STATUS, '/api/wallet', '/api/wallet/activity', TEAM]

/** What the members of one load generator share. */
export type World = {
  target: Target
  pool: HttpPool
  timetable: Timetable
  figures(): MemberFigures
}

/** One member with the mining screen open: the requests that the client sends. */
export class LoadMember {
  private readonly etags = new Map<string, string>()
  private lastStatus: MiningStatus | undefined
  private isMining = true
  private commands = 0

  constructor(
    private readonly world: World,
    private readonly cookie: string,
  ) {}

  /** Opens the screen and keeps it up to date by a socket or by polls. */
  async join(hasSocket: boolean): Promise<void> {
    const { timetable } = this.world
    await (hasSocket ? this.openSocket() : this.refresh())
    if (!hasSocket) timetable.each(STATUS_POLL_MS, POLL_JITTER, (dueAt) => this.poll(dueAt))
    timetable.each(REFERRAL_POLL_MS, 0, (dueAt) => this.read(TEAM, dueAt).then())
    timetable.each(APP_INFO_MS, 0, (dueAt) => this.read('/api/app', dueAt).then())
    timetable.each(COMMAND_MS, 0, (dueAt) => this.command(dueAt))
  }

  private async openSocket(): Promise<void> {
    const { target, figures } = this.world
    await openLiveSocket({
      port: target.port,
      headers: { Origin: target.origin, Cookie: this.cookie },
      onEvent: () => figures().pushes++,
      onClosed: () => figures().failures++,
    })
    await this.refresh()
  }

  private async refresh(paths = SCREEN): Promise<void> {
    const now = performance.now()
    await Promise.all(paths.map((path) => this.read(path, now)))
  }

  /** A poll that shows that money moved is followed by reads of wallet and activity, as in the client. */
  private async poll(dueAt: number): Promise<void> {
    const answer = await this.read(STATUS, dueAt)
    if (answer?.status !== 200) return
    const before = this.lastStatus
    const status = JSON.parse(answer.body) as MiningStatus
    this.lastStatus = status
    const isSame =
      status.rewardId === before?.rewardId && status.pendingRewards === before?.pendingRewards
    if (before && !isSame) await this.refresh(['/api/wallet', '/api/wallet/activity'])
  }

  private async command(dueAt: number): Promise<void> {
    const path = this.isMining ? '/api/mining/stop' : '/api/mining/start'
    const key = `${this.cookie.slice(-8).replace(/\W/g, '-')}-${++this.commands}-command`
    const headers = `${IDEMPOTENCY_HEADER}: ${key}\r\nContent-Length: 0\r\n`
    const answer = await this.send(`POST ${path}`, headers, dueAt)
    if (answer?.status === 200) this.isMining = !this.isMining
  }

  private async read(path: string, dueAt: number): Promise<PoolAnswer | undefined> {
    const etag = this.etags.get(path)
    const answer = await this.send(
      `GET ${path}`,
      etag === undefined ? '' : `If-None-Match: ${etag}\r\n`,
      dueAt,
    )
    if (answer?.etag) this.etags.set(path, answer.etag)
    return answer
  }

  private async send(route: string, headers: string, dueAt: number) {
    const { target, pool, figures } = this.world
    const own = `Host: 127.0.0.1:${target.port}\r\nOrigin: ${target.origin}\r\nCookie: ${this.cookie}\r\n`
    try {
      const answer = await pool.send(`${route} HTTP/1.1\r\n${own}${headers}\r\n`)
      const { latenciesMs, statuses } = figures()
      latenciesMs.push(performance.now() - dueAt)
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      return answer
    } catch {
      figures().failures++
      return undefined
    }
  }
}
