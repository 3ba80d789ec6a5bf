import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#db/postgres/statements/transaction'
import { median } from '#trials/bench/harness/figures/statistics'
import { secondsUntilAnswered } from '#trials/chaos/answers'
import { dueSessions } from '#trials/chaos/due-sessions'
import type { TrialReport } from '#trials/kit/report'
import type { PatroniGroup } from './cluster/patroni-group.ts'
import type { Fault } from './faults.ts'
import type { ProductUnderLoad } from './product-under-load.ts'

/** Within this time after a fault, commands are answered and credits are paid again. */
const LIMIT_S = 30
/** Time of normal work before each fault, ms. */
const LOAD_MS = 3_000
const CREDITS_LIMIT_MS = 60_000

/** Seconds of one outage. */
type Outage = {
  /** Longest time without an answered command at a gateway. */
  commands: number
  /** Time until due intervals are credited. */
  credits: number
}

/** Faults of the primary under load, each with the length of the outage that members have. */
export class Outages {
  private readonly all: Outage[] = []

  constructor(
    private readonly report: TrialReport,
    private readonly product: ProductUnderLoad,
  ) {}

  /** Strikes the primary of the group, waits until members are served again, and brings the node back. */
  async suffer(group: PatroniGroup, { title, strike, undo }: Fault): Promise<void> {
    const { report } = this
    const { load, prober, stage } = this.product
    await sleep(LOAD_MS)
    const primary = await group.expectPrimary()
    const before = { ...load.tally }
    const since = Date.now()
    await strike(primary)
    const next = await group.replaced(primary)
    await prober.answers()
    await secondsUntilAnswered(load.visitors)
    const commands = prober.longestGap(since) / 1_000
    await untilCredited(stage.product.db)
    const credits = (Date.now() - since) / 1_000
    this.all.push({ commands, credits })
    const { unavailable, lost } = load.tally
    const repeated = `${unavailable - before.unavailable} answers 503, ${lost - before.lost} lost`
    await undo(primary)
    await group.settled()
    report.fact(
      `${title}, ${primary.name} → ${next.name}`,
      `commands ${commands.toFixed(1)} s, credits ${credits.toFixed(1)} s; ${repeated}`,
    )
  }

  /** Adds the medians, and whether every outage was short enough. */
  summarise(): void {
    for (const what of ['commands', 'credits'] as const) {
      const seconds = this.all.map((outage) => outage[what])
      const [least, middle, most] = [Math.min(...seconds), median(seconds), Math.max(...seconds)]
      this.report.fact(
        `${what} after all ${seconds.length} faults, median (range)`,
        `${middle.toFixed(1)} s (${least.toFixed(1)}–${most.toFixed(1)})`,
      )
    }
    const tooLong = this.all.filter((outage) => Math.max(outage.commands, outage.credits) > LIMIT_S)
    this.report.expect(`outages longer than ${LIMIT_S} s`, tooLong.length, 0)
  }
}

/** Waits until workers have credited sessions that are due now. */
async function untilCredited(db: Db): Promise<void> {
  const { uncredited } = await dueSessions(db)
  const end = Date.now() + CREDITS_LIMIT_MS
  while ((await uncredited()) > 0) {
    if (Date.now() > end) throw new Error('due intervals are not credited')
    await sleep(100)
  }
}
