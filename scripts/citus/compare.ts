import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { audit } from '#db/ledger/audit'
import { claimRewards, startMining, stopMining } from '#db/mining/mining'
import { databaseAt, ensureDatabase } from '#db/postgres/connection/admin'
import { connect } from '#db/postgres/connection/connect'
import { migrate } from '#db/postgres/schema/migrate'
import { type Db, inTransaction, type Tx } from '#db/postgres/statements/transaction'
import { advance, freeze } from '#db/testing/clock'
import { insertMembers } from '#db/testing/members'
import { INTERVAL_MS, MINUTE_MS } from '#rules/constants'
import { lanes } from '#scripts/bench/credits/lanes'
import { populate } from '#scripts/bench/credits/population'
import { sweepAll } from '#scripts/bench/credits/sweep'
import { postgresPrograms } from '#scripts/recovery/debian-postgres'
import { PostgresServer } from '#scripts/recovery/postgres-server'
import { CitusCluster } from './citus-cluster.ts'

export type CompareOptions = { members: number; rounds: number; commands: number }

/** Figures a second of one round. */
type Round = { credits: number; commands: number }
export type Comparison = Record<'plain' | 'citus', Round[]>

const MEMORY = ['shared_buffers=256MB', 'max_wal_size=4GB']
/** Connections that sweep and that send commands at a time. */
const CONNECTIONS = 2

type Command = (tx: Tx, memberId: number) => Promise<unknown>

/** Seconds in which each of the members sends the command. */
async function secondsOf(db: Db, members: number[], command: Command): Promise<number> {
  const start = performance.now()
  await lanes(CONNECTIONS, members, async (id) => {
    await inTransaction(db, (tx) => command(tx, id))
  })
  return (performance.now() - start) / 1_000
}

/** Commands a second: a start, a stop after a minute and a claim for each of `count` new members. */
async function runCommands(db: Db, count: number): Promise<number> {
  const members = await insertMembers(db, count)
  const started = await secondsOf(db, members, startMining)
  await advance(db, MINUTE_MS)
  const stopped = await secondsOf(db, members, stopMining)
  const claimed = await secondsOf(db, members, claimRewards)
  return (3 * count) / (started + stopped + claimed)
}

async function measure(db: Db, { commands }: CompareOptions): Promise<Round> {
  await advance(db, INTERVAL_MS)
  const start = performance.now()
  const credited = await sweepAll(db, CONNECTIONS)
  const credits = (credited / (performance.now() - start)) * 1_000
  return { credits, commands: await runCommands(db, commands) }
}

/**
 * Sweeps and commands on plain Postgres and on three nodes of Citus with the same programs, settings and
 * cores, in interleaved rounds. Both end with a clean audit.
 */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-citus-'))
  fs.chmodSync(folder, 0o755)
  const cluster = await CitusCluster.start(folder, { settings: MEMORY })
  const plain = await PostgresServer.create(postgresPrograms() ?? '', path.join(folder, 'plain'), {
    auth: 'trust',
  })
  await plain.start(MEMORY)
  const urls = {
    plain: await ensureDatabase(databaseAt(plain.adminUrl, 'postgres'), 'tesp'),
    citus: await cluster.createDatabase('tesp'),
  }
  const sides = ['plain', 'citus'] as const
  const pools = { plain: connect(urls.plain), citus: connect(urls.citus) }
  const rounds: Comparison = { plain: [], citus: [] }
  try {
    for (const side of sides) {
      await migrate(urls[side])
      await freeze(pools[side])
      await populate(pools[side], options.members)
    }
    for (let round = 0; round < options.rounds; round++) {
      for (const side of round % 2 ? sides.toReversed() : sides) {
        rounds[side].push(await measure(pools[side], options))
      }
    }
    for (const side of sides) {
      const { problems } = await audit(pools[side])
      if (problems.length > 0) throw new Error(`${side}: ${JSON.stringify(problems).slice(0, 500)}`)
    }
    return rounds
  } finally {
    for (const pool of Object.values(pools)) await pool.destroy()
    await plain.crash()
    await cluster.stop()
    fs.rmSync(folder, { recursive: true, force: true })
  }
}
