import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#db/postgres/connect'
import { setClockSpeed } from '#db/postgres/product-clock'
import type { Db } from '#db/postgres/transaction'
import { readConfig } from '#db/process/config'
import { freePort } from '#db/process/free-port'
import type { Product } from '#gateway/testing/product'
import { Visitor } from '#gateway/testing/visitor'
import { auditOnce, compareClaims, SPEED, settle } from './books.ts'
import { type Blows, Fleet } from './fleet.ts'
import { newTally, Player, type Tally } from './player.ts'
import { Random } from './random.ts'

/** Where to run, for how long and with which chances. */
export type TortureOptions = {
  databaseUrl: string
  redisUrl: string
  redisPrefix: string
  secrets: { SESSION_KEYS: string; DATA_KEY: string }
  seconds: number
  seed: number
  members: number
  log?: (line: string) => void
}

/** What happened, and what did not hold: `problems` is empty where all is well. */
export type TortureReport = {
  tally: Tally
  blows: Blows
  audits: number
  credits: number
  sessions: number
  problems: string[]
}

const AUDIT_MS = 2_000

async function auditOn(db: Db, goesOn: () => boolean, problems: Set<string>): Promise<number> {
  let audits = 0
  for (; goesOn(); await sleep(AUDIT_MS)) {
    await auditOnce(db, problems)
    audits++
  }
  return audits
}

/**
 * Members start, stop, claim, do tasks, refer and apply codes in parallel while gateways and
 * workers are killed, ended and frozen; all rules of the economy are proved again and again.
 */
export async function torture(options: TortureOptions): Promise<TortureReport> {
  const { databaseUrl, redisUrl, redisPrefix, secrets, log = () => {} } = options
  const random = new Random(options.seed)
  const env = {
    ...{ PATH: process.env.PATH, ...secrets, REDIS_PREFIX: redisPrefix, LOG_LEVEL: 'info' },
    ...{ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, OTP_PER_ADDRESS_HOUR: '100000' },
  }
  const config = readConfig(env)
  const db = connect(databaseUrl, { max: 4, name: 'tesp-torture', statementTimeoutMs: 0 })
  const ports = [await freePort(), await freePort()]
  const fleet = new Fleet(ports, 2, env)
  const problems = new Set<string>()
  const tally = newTally()
  try {
    await setClockSpeed(db, SPEED)
    await fleet.start()
    const urls = ports.map((port) => `http://127.0.0.1:${port}`)
    const product: Product = {
      ...{ config, db, urls },
      startWorkers: async () => ({ close: async () => {} }),
      close: async () => {},
    }
    const visitors = Array.from({ length: options.members }, (_, n) => new Visitor(product, n % 2))
    for (const visitor of visitors) await visitor.register()
    log(`${visitors.length} members are registered; the blows begin`)

    const end = Date.now() + options.seconds * 1_000
    const goesOn = () => Date.now() < end
    fleet.strike(new Random(random.between(1, 1e9)))
    const audited = auditOn(db, goesOn, problems)
    const players = visitors.map((visitor) => {
      return new Player(visitor, visitors, new Random(random.between(1, 1e9)), tally)
    })
    await Promise.all(players.map((player) => player.play(goesOn)))
    const audits = await audited
    await fleet.rest()
    await settle(db, problems)
    await auditOnce(db, problems)
    await compareClaims(db, tally, problems)
    for (const fault of tally.faults) problems.add(fault)
    const counted = await db.raw(
      `select (select count(*) from wallet_activity where id like 'credit:%') as credits,
         (select count(*) from mining_sessions) as sessions`,
    )
    const { credits, sessions } = counted.rows[0]
    const blows = fleet.blows
    return { tally, blows, audits: audits + 1, credits, sessions, problems: [...problems] }
  } finally {
    await fleet.stop()
    await db.destroy()
  }
}
