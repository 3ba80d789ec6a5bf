import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '#trials/bench/measure'
import type { Load } from '#trials/kit/load'
import { type Prober, secondsUntilAnswered } from '#trials/kit/probe'
import type { TrialReport } from '#trials/kit/report'
import { dueSessions } from '#trials/kit/seed'
import type { Stage } from '#trials/kit/stage'
import { until } from '#trials/kit/until'
import type { PatroniGroup } from './patroni-cluster.ts'
import type { PatroniNode } from './patroni-node.ts'

const STALL_MS = 1_000

/** A fault of the primary; `undo` is called when another node has taken over. */
export type Fault = {
  title: string
  strike(primary: PatroniNode): Promise<void>
  undo(former: PatroniNode): Promise<void> | void
}

export const KILL: Fault = {
  title: 'kill -9 of Patroni and PostgreSQL',
  strike: (primary) => primary.kill(),
  undo: (former) => former.start(),
}

/** Nothing that is committed in the last second reaches a replica, so it must not be confirmed. */
export const STALL_AND_KILL: Fault = {
  ...KILL,
  title: 'replication stops, kill -9 a second later',
  async strike(primary) {
    primary.stopSendingWal()
    await sleep(STALL_MS)
    await primary.kill()
  },
}

export const FREEZE: Fault = {
  title: 'Patroni and PostgreSQL frozen',
  strike: async (primary) => primary.signal('SIGSTOP'),
  undo: (former) => former.signal('SIGCONT'),
}

/** `POST /switchover` as `patronictl switchover` sends it. */
export const switchover = (group: PatroniGroup): Fault => ({
  title: 'planned switchover',
  strike: (primary) => group.switchover(primary),
  undo: () => {},
})

/** Within this time after a fault, commands are answered and, on one server, credits are paid again. */
const LIMIT_S = 30
/** On Citus workers wait for a connection once more, because its nodes follow a new coordinator later. */
export const CITUS_CREDITS_LIMIT_S = 40
/** Time of normal work before each fault, ms. */
const LOAD_MS = 3_000

export type ProductUnderLoad = { stage: Stage; load: Load; prober: Prober }

export class Outages {
  /** Seconds of each outage: the longest without an answered command at a gateway, and until credits. */
  private readonly all: { commands: number; credits: number }[] = []

  constructor(
    private readonly report: TrialReport,
    private readonly product: ProductUnderLoad,
  ) {}

  async suffer(group: PatroniGroup, { title, strike, undo }: Fault): Promise<void> {
    const { report } = this
    const { load, prober, stage } = this.product
    await sleep(LOAD_MS)
    const primary = await group.expectPrimary()
    const before = { unavailable: load.tally.unavailable, lost: load.tally.lost }
    const since = Date.now()
    await strike(primary)
    const next = await group.replaced(primary)
    await prober.answers()
    await secondsUntilAnswered(load.visitors)
    const commands = prober.longestGap(since) / 1_000
    const { uncredited } = await dueSessions(stage.product.db)
    await until('due intervals are credited', async () => (await uncredited()) === 0)
    const credits = (Date.now() - since) / 1_000
    this.all.push({ commands, credits })
    const { unavailable, lost } = load.tally
    const repeated = `${unavailable - before.unavailable} answers 503, ${lost - before.lost} lost`
    await undo(primary)
    await group.settled()
    report.fact(
      `${title}, ${primary.place.name} → ${next.place.name}`,
      `commands ${commands.toFixed(1)} s, credits ${credits.toFixed(1)} s; ${repeated}`,
    )
  }

  summarise(creditsLimitS = LIMIT_S): void {
    for (const what of ['commands', 'credits'] as const) {
      const seconds = this.all.map((outage) => outage[what])
      const [least, most] = [Math.min(...seconds), Math.max(...seconds)]
      this.report.fact(
        `${what} after all ${seconds.length} faults, median (range)`,
        `${median(seconds).toFixed(1)} s (${least.toFixed(1)}–${most.toFixed(1)})`,
      )
    }
    const tooLong = this.all.filter(
      ({ commands, credits }) => commands > LIMIT_S || credits > creditsLimitS,
    )
    const limits = `commands ${LIMIT_S} s, credits ${creditsLimitS} s`
    this.report.expect(`outages longer than ${limits}`, tooLong.length, 0)
  }
}
