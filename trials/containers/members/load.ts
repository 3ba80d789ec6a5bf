import { setTimeout as sleep } from 'node:timers/promises'
import { creditLagSeconds } from '#db/mining/sweep/credit-lag'
import { findMissedCredits } from '#db/mining/sweep/missed-credits'
import { productNow } from '#db/postgres/connection/product-clock'
import type { Db } from '#db/postgres/statements/transaction'
import { advance, freeze } from '#db/testing/clock'
import { insertMembers } from '#db/testing/members'
import { insertSessions } from '#db/testing/sessions'
import type { Product } from '#gateway/testing/product'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { signedInMembers } from '#trials/chaos/signed-in'
import { checkAudit, checkClaims } from '#trials/torture/checks'
import { newTally } from '#trials/torture/player'
import { Random } from '#trials/torture/random'
import { Member } from './member.ts'
import type { StepFigures } from './protocol.ts'
import { Tally } from './tally.ts'

/** Product time runs faster, so that credits fall due all the time: a minute each half second. */
const TICK_MS = 500
const ADVANCED_MS = MINUTE_MS
/** Further members who mine without a page. */
const MINERS = 500
const LIVE_LIMIT_MS = 60_000
const CREDIT_LIMIT_MS = 60_000

/** Members who press buttons and mine until `stop`. */
export class Load {
  private readonly tally = new Tally()
  private members: Member[] = []
  private played: Promise<unknown> = Promise.resolve()
  private timer: ReturnType<typeof setInterval> | undefined
  private creditsBefore = 0

  constructor(private readonly product: Product) {}

  async start(count: number): Promise<void> {
    const { db } = this.product
    await insertMiners(db)
    const visitors = await signedInMembers(this.product, count)
    this.members = visitors.map((visitor, n) => new Member(visitor, new Random(n + 1), this.tally))
    this.played = Promise.all(this.members.map((member) => member.play()))
    // Fails while Postgres restarts; product time then stands still.
    this.timer = setInterval(() => void advance(db, ADVANCED_MS).catch(() => {}), TICK_MS)
    await this.waitUntilLive()
    this.tally.take()
    this.creditsBefore = await countCredits(db)
  }

  /** Waits until every member has a socket, and returns the figures since the last call. */
  async step(): Promise<StepFigures> {
    await this.waitUntilLive()
    const credits = await countCredits(this.product.db)
    const figures = { ...this.tally.take(), credits: credits - this.creditsBefore }
    this.creditsBefore = credits
    return figures
  }

  /** Ends the load and returns every violated rule. */
  async stop(): Promise<string[]> {
    const { db } = this.product
    for (const member of this.members) member.stop()
    await this.played
    for (const member of this.members) member.leave()
    clearInterval(this.timer)
    const problems = new Set<string>()
    await waitUntilCredited(db, problems)
    await checkAudit(db, problems)
    await checkClaims(db, { ...newTally(), claims: this.tally.claims }, problems)
    return [...problems]
  }

  private async waitUntilLive(): Promise<void> {
    const end = Date.now() + LIVE_LIMIT_MS
    while (!this.members.every(({ isLive }) => isLive)) {
      if (Date.now() > end) throw new Error('a member has no socket after a minute')
      await sleep(50)
    }
  }
}

/** Sessions whose intervals end all over the next interval. */
async function insertMiners(db: Db): Promise<void> {
  const now = await productNow(db)
  const ids = await insertMembers(db, MINERS)
  const started = (n: number) => now - Math.floor((n / MINERS) * INTERVAL_MS)
  await insertSessions(
    db,
    ids.map((userId, n) => ({ userId, startedAt: started(n) })),
  )
}

async function countCredits(db: Db): Promise<number> {
  const rows = db('wallet_activity').where('id', 'like', 'credit:%')
  return Number((await rows.count('* as credits').first())?.credits)
}

/** Every due interval is credited, with product time standing still. */
async function waitUntilCredited(db: Db, problems: Set<string>): Promise<void> {
  const end = Date.now() + CREDIT_LIMIT_MS
  await freeze(db)
  // The lag covers what is due since the last sweep, so anything older is returned to the sweeps.
  await findMissedCredits(db)
  while ((await creditLagSeconds(db)) > 0) {
    if (Date.now() > end) return void problems.add('credits are still due after one minute')
    await sleep(200)
  }
}
