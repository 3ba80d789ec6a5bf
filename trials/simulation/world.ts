import { connect } from '#db/engine/connect'
import type { Db } from '#db/postgres/statements/transaction'
import type { History } from './history.ts'
import { Economy } from './model/economy.ts'
import { SESSION } from './model/rules.ts'
import { CuttablePool } from './product/cuttable-pool.ts'
import { sealedUntil } from './product/jobs.ts'
import { populate, setClock } from './product/populate.ts'

export type Counts = { deliveries: number; cuts: number; jobs: number; credits: number }

/** Histories share the database, the clock and the workers, and have members of their own. */
export class World {
  readonly economy = new Economy()
  readonly counts: Counts = { deliveries: 0, cuts: 0, jobs: 0, credits: 0 }
  /** Sets the clock and reads for comparisons; its connection is never cut. */
  readonly observer: Db
  readonly pool: CuttablePool
  hasClockMovedBack = false
  private startedAt = 0
  private latest = 0

  constructor(
    url: string,
    private readonly histories: History[],
  ) {
    this.observer = connect(url, { max: 1, name: 'observer' })
    this.pool = new CuttablePool(url, this.observer)
  }

  async open(startedAt: number): Promise<void> {
    const founders = this.histories.flatMap((history) => history.founders)
    for (const { id, teamSize } of founders) this.economy.add(id, teamSize)
    await populate(this.observer, founders)
    this.startedAt = startedAt
    await this.setClock(startedAt)
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.observer.destroy()])
  }

  /** Product time of both sides, ms. */
  get now(): number {
    return this.economy.now
  }

  /** Moves the clock, back for a negative `ms`, but not into a day that is sealed. */
  async step(ms: number): Promise<void> {
    const earliest = ms < 0 ? await sealedUntil(this.observer) : 0
    await this.setClock(Math.max(this.now + ms, earliest))
  }

  private async setClock(at: number): Promise<void> {
    if (at < this.latest) this.hasClockMovedBack = true
    this.latest = Math.max(this.latest, at)
    this.economy.now = at
    await setClock(this.observer, at)
  }

  /** So few that a sweep takes several statements: the product's limit would never show in a world of this size. */
  get sweepLimit(): number {
    return Math.max(4, Math.ceil(0.4 * this.histories.length))
  }

  get sound(): History[] {
    return this.histories.filter(({ problem }) => problem === undefined)
  }

  get soundMembers(): number[] {
    return this.sound.flatMap((history) => history.memberIds)
  }

  /** Product time since the start, for traces: `+1d 02:40:00.001`. */
  get time(): string {
    const since = this.now - this.startedAt
    const day = Math.floor(since / SESSION)
    return `+${day}d ${new Date(since - day * SESSION).toISOString().slice(11, -1)}`
  }
}
